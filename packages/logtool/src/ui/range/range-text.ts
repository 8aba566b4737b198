import {
  compareTimestamps,
  formatTimestamp,
  type Timestamp,
  timestampFromMs,
} from '@logtool/kube/src/values/timestamp.ts';
import { parseDuration } from '../../domain/duration.ts';
import { parseTimePoint, type TimePointFault } from '../../domain/time-point.ts';
import { wallTime, type ZoneClock } from '../console/state/zone-time.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import type { RangeFault } from '../messages/range.ts';

/** The range as in the URL; if nothing is set, the newest lines. */
export type Range = Pick<ConsoleUrl, 'last' | 'from' | 'to'>;
export type RangeResult = { readonly range: Range } | { readonly fault: RangeFault };

export interface RangeRules {
  readonly clock: ZoneClock;
  readonly nowMs: number;
}

/** Two clock times joined by a dash, alone or of a day. */
const CLOCKS =
  /^((?:(?:today|yesterday)\s+(?:at\s+)?|\d{4}-\d\d-\d\d[Tt ]\s*)?\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?)-(\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?)$/i;
/** A time with an offset (RFC 3339): after a date with a T, or after seconds; no zone is 15 hours behind UTC. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d|[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?)-(?:0\d|1[0-4]):\d\d$/;
const BETWEEN = /\s+(?:to|until|-)\s+|\s*(?:\/|\.\.|–|—)\s*/;
const SINCE = /^(?:since|from)\s+/i;
const WALL = /^(?:(\d{4}-\d\d-\d\d)(?:[Tt ]|$))?(?:(\d\d?:\d\d)(?::(\d\d)([.,]\d+)?)?)?$/;
const DAY_NAMED = /^(today|yesterday)(?:\s+(?:at\s+)?(.*))?$/i;
const BEFORE_NOW = /^now\s*-\s*(.+)$/i;
const UNIT_NAMED = /^(\d+(?:\.\d+)?)?\s*(s|m|h|d|w|secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?)$/i;
const HOURS: Readonly<Record<string, number>> = { d: 24, w: 168 };
const MAX_RANGE_CHARS = 200;

/**
 * Parses a typed range: `15m`, `2 hours`, `last day`, `now-1h` (ending now), a time or `TIME to TIME`, each
 * ISO 8601 or a date and time, or only a time, in the page's time zone; `today` and `yesterday` are dates. `since TIME`
 * is the same as `TIME`. A start without a date is its latest past occurrence, an end without a date the first one after
 * the start: `yesterday 23:00-1:00` is two hours. A range may end in the future: it follows until then.
 * Empty: the newest lines.
 */
export function parseRange(text: string, rules: RangeRules): RangeResult {
  const trimmed = text.trim().slice(0, MAX_RANGE_CHARS + 1);
  if (trimmed.length > MAX_RANGE_CHARS) return { fault: { code: 'too-long' } };
  if (trimmed === '') return { range: {} };
  const last = readLast(trimmed.replace(/^(?:last\s+|now\s*-\s*)/i, ''));
  if (last !== undefined) return last;
  const times = trimmed.replace(SINCE, '');
  const clocks = WITH_OFFSET.test(times) ? null : CLOCKS.exec(times);
  const [start = '', end, ...more] = clocks === null ? times.split(BETWEEN) : clocks.slice(1);
  if (more.length > 0) return { fault: { code: 'more-than-two' } };
  const begin = readTime(start, rules);
  if ('code' in begin) return { fault: begin };
  const from = 'clock' in begin ? latest(begin.clock, rules) : begin;
  if ('code' in from) return { fault: from };
  if (end === undefined || /^now$/i.test(end)) return { range: { from: formatTimestamp(from) } };
  return withEnd(from, end, 'clock' in begin, rules);
}

/** Returns the range from a start to a typed end. `isUndated`: the start was a time without a date. */
function withEnd(from: Timestamp, end: string, isUndated: boolean, rules: RangeRules): RangeResult {
  const finish = readTime(end, rules);
  if ('code' in finish) return { fault: finish };
  const to = 'clock' in finish ? firstAfter(finish.clock, from, isUndated, rules) : finish;
  if ('code' in to) return { fault: to };
  if (compareTimestamps(to, from) < 0) return { fault: { code: 'end-first' } };
  return { range: { from: formatTimestamp(from), to: formatTimestamp(to) } };
}

function readLast(text: string): RangeResult | undefined {
  const goText = durationText(text);
  const result = parseDuration(goText);
  switch (result.kind) {
    case 'malformed':
      return undefined;
    case 'calendar':
      return { fault: { code: 'calendar' } };
    case 'too-long':
      return { fault: { code: 'longer-than-logs' } };
    case 'duration':
      return result.duration.seconds === 0 ? { fault: { code: 'nothing' } } : { range: { last: goText } };
  }
}

/** Converts a duration to Go's syntax from the units that people write: `2 hours`, `90 min`, `week`. */
function durationText(text: string): string {
  const named = UNIT_NAMED.exec(text.trim());
  if (named === null) return text.replace(/\s+(?=[a-zA-Z])/g, '');
  const unit = (named[2] ?? '').charAt(0).toLowerCase();
  // A unit without a number counts as one if it is a word: `last hour`.
  if (named[1] === undefined && named[2]?.length === 1) return text;
  const count = named[1] ?? '1';
  const hours = HOURS[unit];
  return hours === undefined ? `${count}${unit}` : `${Number(count) * hours}h`;
}

/** A time without a date, as `HH:MM:SS[.fff]`. */
interface ClockTime {
  readonly clock: string;
}

/** Parses a time, or returns its fault. */
function readTime(typed: string, rules: RangeRules): Timestamp | ClockTime | RangeFault {
  const { clock, nowMs } = rules;
  const now = timestampFromMs(nowMs);
  if (/^now$/i.test(typed)) return now;
  const text = BEFORE_NOW.exec(typed)?.[1] ?? dated(typed, rules);
  const point = parseTimePoint(durationText(text), { now, durations: true, cursors: false });
  if (point.kind === 'time') return point.at;
  const wall = WALL.exec(text);
  if (wall !== null && text !== '') {
    const [, date, time = '0:00', seconds = '00', fraction = ''] = wall;
    const shown = `${time.padStart(5, '0')}:${seconds}${fraction.replace(',', '.')}`;
    if (date !== undefined)
      return wallToTimestamp(clock, `${date}T${shown}`) ?? { code: 'no-such-time', text };
    return { clock: shown };
  }
  return faultOf(text, point.kind === 'bad' ? point.reason : 'malformed');
}

/** The latest moment up to now at which the clock shows a time. */
function latest(time: string, { clock, nowMs }: RangeRules): Timestamp | RangeFault {
  const now = timestampFromMs(nowMs);
  const { date } = wallTime(clock, now);
  const today = wallToTimestamp(clock, `${date}T${time}`);
  const found =
    today !== undefined && today.seconds > now.seconds
      ? wallToTimestamp(clock, `${dayFrom(date, -1)}T${time}`)
      : today;
  return found ?? { code: 'no-such-time', text: time };
}

/**
 * The first moment from a start on at which the clock shows a time. If the start has no date either, that is on the same
 * day, or on the next one up to today: `13:30 to 13:20` at 13:42 is a mistake.
 */
function firstAfter(
  time: string,
  from: Timestamp,
  isUndated: boolean,
  { clock, nowMs }: RangeRules,
): Timestamp | RangeFault {
  const { date } = wallTime(clock, from);
  const sameDay = wallToTimestamp(clock, `${date}T${time}`);
  const isLater = sameDay !== undefined && compareTimestamps(sameDay, from) >= 0;
  const next = dayFrom(date, 1);
  const isPossible = !isUndated || next <= wallTime(clock, timestampFromMs(nowMs)).date;
  const found = isLater || !isPossible ? sameDay : wallToTimestamp(clock, `${next}T${time}`);
  return found ?? { code: 'no-such-time', text: time };
}

function dayFrom(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Replaces the name of a day by its date on the current clock: `yesterday 10:00` becomes `2026-11-20 10:00`.
 */
function dated(text: string, { clock, nowMs }: RangeRules): string {
  const named = DAY_NAMED.exec(text);
  if (named === null) return text;
  const { date } = wallTime(clock, timestampFromMs(nowMs));
  const day = dayFrom(date, named[1]?.toLowerCase() === 'yesterday' ? -1 : 0);
  return named[2] === undefined ? day : `${day} ${named[2]}`;
}

function faultOf(text: string, reason: TimePointFault): RangeFault {
  switch (reason) {
    case 'out-of-range':
      return { code: 'no-such-year', text };
    case 'calendar-duration':
      return { code: 'calendar' };
    case 'negative-duration':
      return { code: 'negative' };
    case 'cursor-not-allowed':
    case 'date-only':
    case 'duration-not-allowed':
    case 'malformed':
    case 'no-zone':
      return { code: 'malformed', text };
  }
}

/**
 * Returns the moment at which the clock shows `YYYY-MM-DDTHH:MM:SS[.fff]`; undefined if that day or hour does
 * not exist.
 */
export function wallToTimestamp(clock: ZoneClock, wall: string): Timestamp | undefined {
  const point = parseTimePoint(`${wall}Z`, {
    now: { seconds: 0, nanos: 0 },
    durations: false,
    cursors: false,
  });
  if (point.kind !== 'time') return undefined;
  const { seconds, nanos } = point.at;
  // The offset depends on the moment, and the moment on the offset: two steps suffice, except in the hour
  // that a clock change skips.
  const guess = seconds - clock.offsetSeconds(seconds);
  return { seconds: seconds - clock.offsetSeconds(guess), nanos };
}

/** Returns `Last 30 min`, `13:12 – 13:42`, `Since 13:12` or `Newest lines`. */
export function rangeLabel({ last, from, to }: Range, { clock, nowMs }: RangeRules): string {
  if (last !== undefined) {
    const result = parseDuration(last);
    return result.kind === 'duration' ? `Last ${spanText(result.duration.seconds)}` : 'Newest lines';
  }
  const today = wallTime(clock, timestampFromMs(nowMs)).date;
  const start = pointText(from, clock, nowMs, today);
  const end = pointText(to, clock, nowMs, start?.date ?? today);
  if (start === undefined) return end === undefined ? 'Newest lines' : `Until ${end.text}`;
  return end === undefined ? `Since ${start.text}` : `${start.text} – ${end.text}`;
}

function pointText(text: string | undefined, clock: ZoneClock, nowMs: number, day: string) {
  if (text === undefined) return undefined;
  const point = parseTimePoint(text, { now: timestampFromMs(nowMs), durations: true, cursors: false });
  if (point.kind !== 'time') return undefined;
  const { date, time } = wallTime(clock, point.at);
  const short = point.at.seconds % 60 === 0 ? time.slice(0, 5) : time.slice(0, 8);
  return { date, text: date === day ? short : `${date} ${short}` };
}

function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  if (seconds % 60 === 0) return `${seconds / 60} min`;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
