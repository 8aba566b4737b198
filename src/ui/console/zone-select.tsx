import { useMemo } from 'react';
import { makeZoneClock, type ZoneClock } from './zone-time.ts';

interface ZoneSelectProps {
  /** `local` or an IANA name. */
  readonly zone: string;
  readonly clock: ZoneClock;
  readonly onChange: (zone: string | undefined) => void;
}

/** The time zone of every stamp. */
export function ZoneSelect({ zone, clock, onChange }: ZoneSelectProps) {
  const local = useMemo(() => makeZoneClock('local').name, []);
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'), []);
  const value = zone === 'local' || clock.name === local ? 'local' : clock.name;
  const known = value === 'local' || value === 'UTC' || zones.includes(value);
  return (
    <select
      className="zone-select"
      aria-label="Time zone"
      value={value}
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
