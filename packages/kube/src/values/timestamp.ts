/**
 * A point in time at nanosecond precision, as the Kubernetes log API returns it. Uses two small integers instead of one
 * bigint: V8 keeps both unboxed, and comparing them costs nothing.
 */
export interface Timestamp {
  /** Whole seconds since the Unix epoch (floor, so it is negative before 1970). */
  readonly seconds: number;
  /** Nanoseconds inside that second, 0 to 999,999,999. */
  readonly nanos: number;
}

/** Compares two timestamps: negative, zero or positive, as for Array.prototype.sort. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Returns the earliest of some times; undefined if there are none. */
export function earliestTime(times: readonly [Timestamp, ...Timestamp[]]): Timestamp;
export function earliestTime(times: readonly Timestamp[]): Timestamp | undefined;
export function earliestTime([first, ...rest]: readonly Timestamp[]): Timestamp | undefined {
  return first && rest.reduce((a, b) => (compareTimestamps(b, a) < 0 ? b : a), first);
}

/** Returns the latest of some times; undefined if there are none. */
export function latestTime(times: readonly [Timestamp, ...Timestamp[]]): Timestamp;
export function latestTime(times: readonly Timestamp[]): Timestamp | undefined;
export function latestTime([first, ...rest]: readonly Timestamp[]): Timestamp | undefined {
  return first && rest.reduce((a, b) => (compareTimestamps(b, a) > 0 ? b : a), first);
}

/** Returns milliseconds since the epoch (only for display and timers, because this loses precision). */
export function timestampToMs(at: Timestamp): number {
  return at.seconds * 1000 + Math.floor(at.nanos / 1e6);
}

/** Makes a timestamp from milliseconds since the epoch, such as Date.now() returns. */
export function timestampFromMs(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: Math.round((ms - seconds * 1000) * 1e6) };
}

/** Formats RFC 3339 text in UTC with nine fractional digits, 30 characters: `2026-11-21T10:00:00.123456789Z`. */
export function formatTimestamp(at: Timestamp): string {
  const date = new Date(at.seconds * 1000).toISOString();
  return `${date.slice(0, 19)}.${String(at.nanos).padStart(9, '0')}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Parses an RFC 3339 timestamp with any zone offset and up to nine fractional digits (ignores further ones). Returns
 * undefined if the text is not one, so that each caller words its own error.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const offset = zoneOffsetSeconds(zone);
  if (offset === undefined) return undefined;
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return {
    seconds: date.getTime() / 1000 + clock - offset,
    nanos: Number(fraction.slice(0, 9).padEnd(9, '0')),
  };
}

function zoneOffsetSeconds(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}
