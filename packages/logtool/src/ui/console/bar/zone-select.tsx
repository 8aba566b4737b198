import { useMemo, useState } from 'react';
import { makeZoneClock, type ZoneClock } from '../state/zone-time.ts';

interface ZoneSelectProps {
  /** `local` or an IANA name. */
  readonly zone: string;
  readonly clock: ZoneClock;
  readonly onChange: (zone: string | undefined) => void;
}

/** Selects the time zone of all timestamps. */
export function ZoneSelect({ zone, clock, onChange }: ZoneSelectProps) {
  const local = useMemo(() => makeZoneClock('local').name, []);
  // Creates the hundreds of options only when a user is about to choose.
  const [isNear, setNear] = useState(false);
  const zones = useMemo(
    () => (isNear ? Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC') : []),
    [isNear],
  );
  const value = zone === 'local' || clock.name === local ? 'local' : clock.name;
  const known = value === 'local' || value === 'UTC' || zones.includes(value);
  return (
    <select
      className="zone-select"
      aria-label="Time zone"
      value={value}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={(event) => onChange(event.target.value === 'local' ? undefined : event.target.value)}
    >
      <option value="local">{local}</option>
      {local === 'UTC' ? null : <option value="UTC">UTC</option>}
      {known ? null : <option value={value}>{value}</option>}
      {zones
        .filter((name) => name !== local)
        .map((name) => (
          <option key={name}>{name}</option>
        ))}
    </select>
  );
}
