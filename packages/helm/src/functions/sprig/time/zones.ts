import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTzif, type ZoneAt, type ZoneTable } from './tzif.ts';

/** A time zone, like Go's time.Location. */
export interface Zone {
  at(unixSeconds: bigint): ZoneAt;
  /** Returns the offset of a zone name that applies there now or did in the past. */
  offsetOf(name: string, unixSeconds: bigint): number | undefined;
}

export function fixedZone(name: string, offsetSeconds: number): Zone {
  return { at: () => ({ name, offsetSeconds }), offsetOf: () => undefined };
}

export const UTC: Zone = fixedZone('UTC', 0);

/** The system folders of the tz database; Go searches the same. */
const FOLDERS = ['/usr/share/zoneinfo', '/usr/share/lib/zoneinfo', '/usr/lib/locale/TZ', '/etc/zoneinfo'];
const cache = new Map<string, Zone | undefined>();
const CACHED = 600;

/**
 * Returns a zone by its name in the tz database; `UTC` or an empty text for UTC, `Local` for the local one; undefined
 * for an unknown name.
 */
export function zoneOf(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return UTC;
  if (name === 'Local') return zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? UTC;
  if (/\.\.|^[/\\]|[\0-\x20]/.test(name) || name.length > 100) return undefined;
  if (!cache.has(name)) {
    if (cache.size >= CACHED) cache.clear();
    cache.set(name, loadZone(name));
  }
  return cache.get(name);
}

function loadZone(name: string): Zone | undefined {
  const folders = FOLDERS.filter((folder) => existsSync(folder));
  for (const folder of folders) {
    const path = join(folder, name);
    if (!existsSync(path) || !statSync(path).isFile()) continue;
    const table = readTzif(readFileSync(path));
    if (table !== undefined) return zoneFromTable(name, table);
  }
  // Without the files, only Node.js provides zones, with few of their names.
  return folders.length === 0 ? zoneFromIntl(name) : undefined;
}

function zoneFromTable(name: string, table: ZoneTable): Zone {
  const { transitions, first } = table;
  const last = transitions.at(-1);
  const afterLast = (unixSeconds: bigint): ZoneAt => {
    if (!table.goesOn) return last!.zone;
    const offsetSeconds = intlOffset(name, unixSeconds) ?? last!.zone.offsetSeconds;
    return transitions.findLast(({ zone }) => zone.offsetSeconds === offsetSeconds)?.zone ?? last!.zone;
  };
  const at = (unixSeconds: bigint): ZoneAt => {
    if (last !== undefined && unixSeconds >= last.from) return afterLast(unixSeconds);
    return transitions.findLast(({ from }) => from <= unixSeconds)?.zone ?? first;
  };
  const zones = [first, ...transitions.map(({ zone }) => zone)];
  return {
    at,
    offsetOf: (wanted, unixSeconds) => {
      const named = zones.filter((zone) => zone.name === wanted);
      const inForce = named.find(
        ({ offsetSeconds }) => at(unixSeconds - BigInt(offsetSeconds)).name === wanted,
      );
      return (inForce ?? named[0])?.offsetSeconds;
    },
  };
}

/** Makes a zone from the data of Node.js. */
function zoneFromIntl(name: string): Zone | undefined {
  if (intlOffset(name, 0n) === undefined) return undefined;
  return {
    at: (unixSeconds) => ({ name: '', offsetSeconds: intlOffset(name, unixSeconds) ?? 0 }),
    offsetOf: () => undefined,
  };
}

const MAX_SECONDS = 8_640_000_000_000n;

/** Returns a zone's offset from UTC in seconds; undefined for a zone unknown to Node.js. */
function intlOffset(timeZone: string, unixSeconds: bigint): number | undefined {
  if (unixSeconds > MAX_SECONDS || unixSeconds < -MAX_SECONDS) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const shown = format
      .formatToParts(Number(unixSeconds) * 1000)
      .find(({ type }) => type === 'timeZoneName');
    const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(shown?.value ?? '');
    if (match === null) return undefined;
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -size : size;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
