import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { parseDuration } from './duration.ts';

/** Meaning of the text of --since, --until, --after or --before. */
export type TimePoint =
  | {
      readonly kind: 'time';
      readonly at: Timestamp;
      /** The text was a duration of this many whole seconds before now. */
      readonly agoSeconds?: number;
    }
  | { readonly kind: 'cursor'; readonly cursor: Cursor }
  | { readonly kind: 'bad'; readonly reason: TimePointFault };

/**
 * - `no-zone`: a date and time without `Z` or an offset; `date-only`: a date without a time;
 * - `duration-not-allowed`, `cursor-not-allowed`: well formed, but not for this flag;
 * - `calendar-duration`: counts years or months;
 * - `negative-duration`, `out-of-range`, `malformed`.
 */
export type TimePointFault =
  | 'no-zone'
  | 'date-only'
  | 'duration-not-allowed'
  | 'cursor-not-allowed'
  | 'calendar-duration'
  | 'negative-duration'
  | 'out-of-range'
  | 'malformed';

export interface TimePointRules {
  readonly now: Timestamp;
  readonly durations: boolean;
  readonly cursors: boolean;
}

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const DATE_TIME = new RegExp(
  String.raw`^(${DATE})[Tt ](\d\d:\d\d)(:\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?$`,
);
const DATE_ONLY = new RegExp(`^${DATE}$`);
/** Years 1 to 9999, the range of the API's own time type. */
const EARLIEST_SECONDS = -62_135_596_800;
const LATEST_SECONDS = 253_402_300_799;

/**
 * Reads a time point: ISO 8601 with a zone designator (`2026-11-21T10:00:00+01:00`, seconds optional, up to nine
 * fractional digits, more are truncated), a duration before now if the flag takes one, a cursor if it takes one.
 */
export function parseTimePoint(text: string, rules: TimePointRules): TimePoint {
  if (text.includes('~')) return readCursor(text, rules);
  if (DATE_ONLY.test(text)) return bad('date-only');
  const match = DATE_TIME.exec(text);
  if (match !== null) return readDateTime(match);
  return readDuration(text, rules);
}

function readCursor(text: string, rules: TimePointRules): TimePoint {
  const cursor = parseCursor(text);
  if (cursor === undefined) return bad('malformed');
  if (!rules.cursors) return bad('cursor-not-allowed');
  return inRange(cursor.at) ? { kind: 'cursor', cursor } : bad('out-of-range');
}

function readDateTime(match: RegExpExecArray): TimePoint {
  const [, date = '', time = '', seconds = ':00', zone] = match;
  if (zone === undefined) return bad('no-zone');
  const at = parseTimestamp(`${date}T${time}${seconds}${normalZone(zone)}`);
  if (at === undefined) return bad('malformed');
  return inRange(at) ? { kind: 'time', at } : bad('out-of-range');
}

/** Converts `+01` and `+0100` (ISO 8601) to `+01:00` (RFC 3339). */
function normalZone(zone: string): string {
  if (zone.length === 3) return `${zone}:00`;
  return zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
}

function readDuration(text: string, rules: TimePointRules): TimePoint {
  if (/^-/.test(text) && parseDuration(text.slice(1)).kind !== 'malformed') return bad('negative-duration');
  const result = parseDuration(text);
  if (result.kind === 'malformed') return bad('malformed');
  if (!rules.durations) return bad('duration-not-allowed');
  if (result.kind !== 'duration')
    return bad(result.kind === 'calendar' ? 'calendar-duration' : 'out-of-range');
  const { seconds, nanos } = result.duration;
  const at = subtract(rules.now, seconds, nanos);
  if (!inRange(at)) return bad('out-of-range');
  return nanos === 0 ? { kind: 'time', at, agoSeconds: seconds } : { kind: 'time', at };
}

function subtract(from: Timestamp, seconds: number, nanos: number): Timestamp {
  const rest = from.nanos - nanos;
  return rest >= 0
    ? { seconds: from.seconds - seconds, nanos: rest }
    : { seconds: from.seconds - seconds - 1, nanos: rest + 1e9 };
}

function inRange(at: Timestamp): boolean {
  return at.seconds >= EARLIEST_SECONDS && at.seconds <= LATEST_SECONDS;
}

function bad(reason: TimePointFault): TimePoint {
  return { kind: 'bad', reason };
}
