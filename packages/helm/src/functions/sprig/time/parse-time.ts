import { GoError } from '../../../template/errors.ts';
import { textToBytes } from '../../../value/bytes.ts';
import { atWall, GoTime } from './go-time.ts';
import { readField, type TimeFields } from './time-fields.ts';
import { daysOf, layoutFields } from './time-layout.ts';
import { fixedZone, UTC, type Zone } from './zones.ts';

/** Quotes byte by byte, as Go does here; the text holds bytes as Latin-1 characters. */
function quoted(latin: string): string {
  const hex = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `"${latin.replace(/[\\"]/g, '\\$&').replace(/[\0-\x1f\x80-\xff]/g, hex)}"`;
}

/**
 * Parses a time by a layout, like time.ParseInLocation. https://pkg.go.dev/time#ParseInLocation
 * @throws GoError
 */
export function parseTime(layoutText: string, text: string, local: Zone): GoTime {
  const layout = Buffer.from(textToBytes(layoutText)).toString('latin1');
  const value = Buffer.from(textToBytes(text)).toString('latin1');
  const fields: TimeFields = {
    year: 0,
    month: undefined,
    day: undefined,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    half: undefined,
    isUtc: false,
    offsetSeconds: undefined,
    zoneName: '',
  };
  readFields(layout, value, fields);
  return timeFrom(fields, local, (what) => new GoError(`parsing time ${quoted(value)}: ${what}`));
}

function readFields(layout: string, value: string, fields: TimeFields): void {
  const mismatch = (at: string, field: string) =>
    new GoError(
      `parsing time ${quoted(value)} as ${quoted(layout)}: cannot parse ${quoted(at)} as ${quoted(field)}`,
    );
  let rest = value;
  const expected = layoutFields(layout);
  for (const [index, { prefix, field }] of expected.entries()) {
    const skipped = skip(rest, prefix);
    if (!skipped.fits) throw mismatch(skipped.rest, prefix);
    rest = skipped.rest;
    if (field === '') break;
    const read = readField(field, rest, fields, expected[index + 1]?.field ?? '');
    if (read === undefined) throw mismatch(rest, field);
    if (read.outOfRange !== undefined)
      throw new GoError(`parsing time ${quoted(value)}: ${read.outOfRange} out of range`);
    rest = read.rest;
  }
  if (rest !== '') throw new GoError(`parsing time ${quoted(value)}: extra text: ${quoted(rest)}`);
}

/** Skips literal text of the layout; a blank in it matches any number of blanks. */
function skip(value: string, prefix: string): { readonly rest: string; readonly fits: boolean } {
  let rest = value;
  for (let at = 0; at < prefix.length; at++) {
    if (prefix[at] === ' ') {
      if (rest !== '' && rest[0] !== ' ') return { rest, fits: false };
      while (prefix[at + 1] === ' ') at++;
      rest = rest.replace(/^ +/, '');
    } else if (rest[0] !== prefix[at]) return { rest, fits: false };
    else rest = rest.slice(1);
  }
  return { rest, fits: true };
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function timeFrom(fields: TimeFields, local: Zone, problem: (what: string) => GoError): GoTime {
  const { month, day } = dateOf(fields, problem);
  const wall =
    BigInt(daysOf(fields.year, month, day)) * 86_400n +
    BigInt(hourOf(fields) * 3600 + fields.minute * 60 + fields.second);
  const at = (seconds: bigint, zone: Zone) =>
    new GoTime(seconds * 1_000_000_000n + BigInt(fields.nanosecond), zone);
  if (fields.isUtc) return at(wall, UTC);
  if (fields.offsetSeconds !== undefined)
    return atOffset(wall, fields.offsetSeconds, fields.zoneName, local, at);
  if (fields.zoneName === '') return at(atWall(wall, local), local);
  const known = local.offsetOf(fields.zoneName, wall);
  if (known !== undefined) return at(wall - BigInt(known), local);
  // Go uses the offset of GMT+2 only for display, not for the instant.
  const shown = /^GMT[+-]/.test(fields.zoneName) ? Number(fields.zoneName.slice(3)) * 3600 : 0;
  return at(wall, fixedZone(fields.zoneName, shown));
}

interface MonthDay {
  readonly month: number;
  readonly day: number;
}

function dateOf(fields: TimeFields, problem: (what: string) => GoError): MonthDay {
  const { year, yearDay } = fields;
  const date = yearDay === undefined ? undefined : dateOfYearDay(year, yearDay);
  if (yearDay !== undefined && date === undefined) throw problem('day-of-year out of range');
  if (date !== undefined && (fields.month ?? date.month) !== date.month)
    throw problem('day-of-year does not match month');
  if (date !== undefined && (fields.day ?? date.day) !== date.day)
    throw problem('day-of-year does not match day');
  const { month, day } = date ?? { month: fields.month ?? 1, day: fields.day ?? 1 };
  if (day < 1 || day > daysOf(year, month + 1, 1) - daysOf(year, month, 1)) throw problem('day out of range');
  return { month, day };
}

function dateOfYearDay(year: number, yearDay: number): MonthDay | undefined {
  if (yearDay < 1 || yearDay > (isLeap(year) ? 366 : 365)) return undefined;
  const date = new Date(daysOf(year, 1, yearDay) * 86_400_000);
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function hourOf({ half, hour }: TimeFields): number {
  if (half === 'pm' && hour < 12) return hour + 12;
  return half === 'am' && hour === 12 ? 0 : hour;
}

function atOffset(
  wall: bigint,
  offsetSeconds: number,
  zoneName: string,
  local: Zone,
  at: (seconds: bigint, zone: Zone) => GoTime,
): GoTime {
  const seconds = wall - BigInt(offsetSeconds);
  const here = local.at(seconds);
  const isHere = here.offsetSeconds === offsetSeconds && (zoneName === '' || here.name === zoneName);
  return at(seconds, isHere ? local : fixedZone(zoneName, offsetSeconds));
}
