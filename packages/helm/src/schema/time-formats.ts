import { parseTime } from '../functions/sprig/time/parse-time.ts';
import { UTC } from '../functions/sprig/time/zones.ts';
import { GoError } from '../template/errors.ts';
import { quoteRune } from '../value/quote.ts';
import { within } from './format-problem.ts';

/** Checks RFC 3339 section 5.6, like the functions below; parses a date as Go does. */
export function dateProblem(text: string): string | undefined {
  try {
    parseTime('2006-01-02', text, UTC);
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

export function timeProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) < 9) return 'less than 9 characters long';
  if (text[2] !== ':' || text[5] !== ':') return 'missing colon in correct place';
  const [hour, minute, second] = text.slice(0, 8).split(':').map(twoDigits) as [number, number, number];
  if ([hour, minute, second].some(Number.isNaN)) return 'invalid hour/min/sec';
  if (Math.min(hour, minute, second) < 0) return 'non-positive hour/min/sec';
  if (hour > 23 || minute > 59 || second > 60) return 'hour/min/sec out of range';
  const [, fraction, offset = ''] = /^(\.\d*)?(.*)$/s.exec(text.slice(8))!;
  if (fraction === '.') return 'no digits in second fraction';
  const east = offsetMinutes(offset);
  if (typeof east === 'string') return east;
  const minutes = hour * 60 + minute - east;
  const inUtc = minutes < 0 ? minutes + 24 * 60 : minutes;
  return second >= 60 && inUtc !== 23 * 60 + 59 ? 'invalid leap second' : undefined;
}

/** Parses digits like strconv.Atoi, including signs. */
function twoDigits(text: string): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns minutes east of UTC, or the problem. */
function offsetMinutes(offset: string): number | string {
  if (offset === 'z' || offset === 'Z') return 0;
  if (Buffer.byteLength(offset) !== 6) return 'offset must be 6 characters long';
  if (!/^[+-]/.test(offset)) return 'offset must begin with plus/minus';
  if (offset[3] !== ':') return 'missing colon in offset in correct place';
  const [hours, minutes] = [twoDigits(offset.slice(1, 3)), twoDigits(offset.slice(4))];
  if (Number.isNaN(hours) || Number.isNaN(minutes)) return 'invalid hour/min in offset';
  if (hours < 0 || minutes < 0) return 'non-positive hour/min in offset';
  if (hours > 23 || minutes > 59) return 'hour/min in offset out of range';
  return (offset.startsWith('+') ? 1 : -1) * (hours * 60 + minutes);
}

export function dateTimeProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) < 20) return 'less than 20 characters long';
  if (!/[tT]/.test(text.charAt(10))) return '11th character must be t or T';
  return (
    within('invalid date element', dateProblem(text.slice(0, 10))) ??
    within('invalid time element', timeProblem(text.slice(11)))
  );
}

/** Checks RFC 3339 appendix A. */
export function durationProblem(text: string): string | undefined {
  if (!text.startsWith('P')) return 'must start with P';
  const rest = text.slice(1);
  if (rest === '') return 'nothing after P';
  if (rest.endsWith('W')) {
    if (rest === 'W') return 'no number in week';
    return /^\d+W$/.test(rest) ? undefined : 'invalid week';
  }
  const [days = '', ...times] = rest.split('T');
  const problem = unitsProblem(days, 'YMD');
  const [time] = times;
  if (problem !== undefined || time === undefined) return problem;
  if (time === '') return 'no time elements';
  return unitsProblem(time, 'HMS') ?? (times.length > 1 ? moreProblem(times[1]!) : undefined);
}

function moreProblem(text: string): string {
  return text === '' ? 'no time elements' : 'more than one T';
}

/** Checks numbers with units, in the order of the units. */
function unitsProblem(text: string, units: string): string | undefined {
  let [left, rest] = [units, text];
  while (rest !== '') {
    const digits = /^\d*/.exec(rest)![0];
    if (digits === '') return 'missing number';
    const unit = rest[digits.length];
    if (unit === undefined) return 'missing unit';
    const at = left.indexOf(unit);
    if (at === -1) {
      const named = quoteRune(unit.charCodeAt(0));
      return units.includes(unit) ? `unit ${named} out of order` : `invalid unit ${named}`;
    }
    left = left.slice(at + 1);
    rest = rest.slice(digits.length + 1);
  }
  return undefined;
}

/** Checks two times, or a time and a duration, separated by a slash. */
export function periodProblem(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash === -1) return 'missing slash';
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  const startProblem = start.startsWith('P')
    ? within('invalid start duration', durationProblem(start))
    : within('invalid start date-time', dateTimeProblem(start));
  if (startProblem !== undefined) return startProblem;
  return !start.startsWith('P') && end.startsWith('P')
    ? within('invalid end duration', durationProblem(end))
    : within('invalid end date-time', dateTimeProblem(end));
}
