import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { parseDuration } from '../../domain/duration.ts';
import { parseTimePoint, type TimePointFault } from '../../domain/time-point.ts';
import { wallTime, type ZoneClock } from '../console/session/zone-time.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import type { RangeFault } from '../messages/range.ts';

/** The range as the URL has it; nothing set: the newest lines. */
export type Range = Pick<ConsoleUrl, 'last' | 'from' | 'to'>;
export type RangeResult = { readonly range: Range } | { readonly fault: RangeFault };

export interface RangeRules {
  readonly clock: ZoneClock;
  readonly nowMs: number;
}

const BETWEEN = /\s+(?:to|until|–|—|-)\s+|\s*(?:\/|\.\.)\s*/;
const WALL = /^(?:(\d{4}-\d\d-\d\d)(?:[Tt ]|$))?(?:(\d\d?:\d\d)(?::(\d\d)([.,]\d+)?)?)?$/;
const DAYS = /^(\d+(?:\.\d+)?)\s*(d|w)$/i;
const MAX_RANGE_CHARS = 200;

/**
 * Reads a typed range: `15m`, `2h`, `1d` (ending now), a time or `TIME to TIME`, each ISO 8601 or a date and
 * time, or only a time, in the page's time zone. Empty: the newest lines.
 */
export function parseRange(text: string, rules: RangeRules): RangeResult {
  const trimmed = text.trim().slice(0, MAX_RANGE_CHARS + 1);
  if (trimmed.length > MAX_RANGE_CHARS) return { fault: { code: 'too-long' } };
  if (trimmed === '') return { range: {} };
  const last = readLast(trimmed.replace(/^last\s+/i, ''));
  if (last !== undefined) return last;
  const [start = '', end, ...more] = trimmed.split(BETWEEN);
  if (more.length > 0) return { fault: { code: 'more-than-two' } };
  const from = readTime(start, rules);
  if ('code' in from) return { fault: from };
  if (end === undefined || end === 'now') return { range: { from: formatTimestamp(from) } };
  const to = readTime(end, rules);
  if ('code' in to) return { fault: to };
  if (to.seconds < from.seconds || (to.seconds === from.seconds && to.nanos < from.nanos)) {
    return { fault: { code: 'end-first' } };
  }
  return { range: { from: formatTimestamp(from), to: formatTimestamp(to) } };
}

function readLast(text: string): RangeResult | undefined {
  const spaceless = text.replace(/\s+(?=[a-zA-Z])/g, '').replace(/(?<=\d)min$/i, 'm');
  const days = DAYS.exec(spaceless);
  const goText =
    days === null ? spaceless : `${Number(days[1]) * (days[2]?.toLowerCase() === 'w' ? 168 : 24)}h`;
  const result = parseDuration(goText);
  if (result.kind === 'malformed') return undefined;
  if (result.kind === 'calendar') return { fault: { code: 'calendar' } };
  if (result.kind !== 'duration') return { fault: { code: 'longer-than-logs' } };
  if (result.duration.seconds === 0) return { fault: { code: 'nothing' } };
  return { range: { last: goText } };
}

/** A time, or what is wrong with it. */
function readTime(text: string, { clock, nowMs }: RangeRules): Timestamp | RangeFault {
  const now = timestampFromMs(nowMs);
  const point = parseTimePoint(text, { now, durations: true, cursors: false });
  if (point.kind === 'time') return point.at;
  const wall = WALL.exec(text);
  if (wall !== null && text !== '') {
    const [, date, time = '0:00', seconds = '00', fraction = ''] = wall;
    const day = date ?? wallTime(clock, now).date;
    const found = wallToTimestamp(
      clock,
      `${day}T${time.padStart(5, '0')}:${seconds}${fraction.replace(',', '.')}`,
    );
    if (found === undefined) return { code: 'no-such-time', text };
    // A time without a date is its latest past occurrence.
    return date === undefined && found.seconds > now.seconds
      ? { ...found, seconds: found.seconds - 86_400 }
      : found;
  }
  return faultOf(text, point.kind === 'bad' ? point.reason : 'malformed');
}

function faultOf(text: string, reason: TimePointFault): RangeFault {
  switch (reason) {
    case 'out-of-range':
      return { code: 'no-such-year', text };
    case 'calendar-duration':
      return { code: 'calendar' };
    case 'negative-duration':
      return { code: 'negative' };
    default:
      return { code: 'malformed', text };
  }
}

/** The moment at which that clock shows `YYYY-MM-DDTHH:MM:SS[.fff]`; undefined when there is no such day or hour. */
export function wallToTimestamp(clock: ZoneClock, wall: string): Timestamp | undefined {
  const point = parseTimePoint(`${wall}Z`, {
    now: { seconds: 0, nanos: 0 },
    durations: false,
    cursors: false,
  });
  if (point.kind !== 'time') return undefined;
  const { seconds, nanos } = point.at;
  // The offset is that of the moment itself, which the offset decides: twice is enough but for the hour that is left out.
  const guess = seconds - clock.offsetSeconds(seconds);
  return { seconds: seconds - clock.offsetSeconds(guess), nanos };
}

/** `Last 30 min`, `13:12 – 13:42`, `Since 13:12`, `Newest lines`. */
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
