import { DAYS, MONTHS } from './time-layout.ts';

/** The fields read so far; undefined if the text does not give one. */
export interface TimeFields {
  year: number;
  month: number | undefined;
  day: number | undefined;
  yearDay: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  half: 'am' | 'pm' | undefined;
  isUtc: boolean;
  offsetSeconds: number | undefined;
  zoneName: string;
}

/** The rest of the text after a field, and the name of a value out of range; undefined if the text does not match. */
type Read = { readonly rest: string; readonly outOfRange?: string } | undefined;

function matched(value: string, pattern: RegExp, take: (text: string) => string | undefined): Read {
  const text = pattern.exec(value)?.[0];
  if (text === undefined) return undefined;
  const outOfRange = take(text);
  const rest = value.slice(text.length);
  return outOfRange === undefined ? { rest } : { rest, outOfRange };
}

/** Reads one or two digits, or exactly two. */
function number(value: string, isFixed: boolean, take: (value: number) => string | undefined): Read {
  return matched(value, isFixed ? /^\d\d/ : /^\d\d?/, (text) => take(Number(text)));
}

function named(value: string, names: readonly string[], take: (index: number) => void): Read {
  const index = names.findIndex((name) => value.slice(0, name.length).toLowerCase() === name.toLowerCase());
  if (index === -1) return undefined;
  take(index);
  return { rest: value.slice(names[index]!.length) };
}

const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3));

/** Reads the value of one field of a layout; `next` is the field after it. */
type FieldReader = (value: string, fields: TimeFields, next: string) => Read;

type NumberField = 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

/** Makes a reader of a number within a field's range. */
function numbered(field: NumberField, isFixed: boolean, [min, max]: readonly [number, number]): FieldReader {
  return (value, fields) =>
    number(value, isFixed, (found) => {
      fields[field] = found;
      return found < min || found > max ? field : undefined;
    });
}

/** The day is validated once the month is known. */
const ANY_DAY = [0, 99] as const;

function yearDay(digits: RegExp): FieldReader {
  return (value, fields) =>
    matched(value, digits, (text) => {
      fields.yearDay = Number(text);
      return undefined;
    });
}

/** Makes a reader that accepts blanks, at most these, in place of digits. */
function padded(blanks: RegExp, read: FieldReader): FieldReader {
  return (value, fields, next) => read(value.replace(blanks, ''), fields, next);
}

function year(digits: RegExp, yearOf: (found: number) => number): FieldReader {
  return (value, fields) =>
    matched(value, digits, (text) => {
      fields.year = yearOf(Number(text));
      return undefined;
    });
}

function monthNamed(names: readonly string[]): FieldReader {
  return (value, fields) =>
    named(value, names, (index) => {
      fields.month = index + 1;
    });
}

function half(pattern: RegExp): FieldReader {
  return (value, fields) =>
    matched(value, pattern, (text) => {
      fields.half = text.toLowerCase() as 'am' | 'pm';
      return undefined;
    });
}

/** The fields of https://pkg.go.dev/time#Layout, except fractions and offsets, which vary in length. */
const READERS: Readonly<Record<string, FieldReader>> = {
  '2006': year(/^\d{4}/, (found) => found),
  '06': year(/^\d\d/, (found) => found + (found >= 69 ? 1900 : 2000)),
  January: monthNamed(MONTHS),
  Jan: monthNamed(short(MONTHS)),
  '1': numbered('month', false, [1, 12]),
  '01': numbered('month', true, [1, 12]),
  Monday: (value) => named(value, DAYS, () => {}),
  Mon: (value) => named(value, short(DAYS), () => {}),
  '2': numbered('day', false, ANY_DAY),
  _2: padded(/^ /, numbered('day', false, ANY_DAY)),
  '02': numbered('day', true, ANY_DAY),
  __2: padded(/^ {1,2}/, yearDay(/^\d{1,3}/)),
  '002': yearDay(/^\d{3}/),
  '15': numbered('hour', false, [0, 23]),
  '3': numbered('hour', false, [0, 12]),
  '03': numbered('hour', true, [0, 12]),
  '4': numbered('minute', false, [0, 59]),
  '04': numbered('minute', true, [0, 59]),
  '5': (value, fields, next) => readSeconds(value, false, fields, next),
  '05': (value, fields, next) => readSeconds(value, true, fields, next),
  PM: half(/^[AP]M/),
  pm: half(/^[ap]m/),
  MST: readZoneName,
};

/** Reads the value of one field of a layout; `next` is the field after it. */
export function readField(field: string, value: string, fields: TimeFields, next: string): Read {
  const read = Object.hasOwn(READERS, field) ? READERS[field] : undefined;
  if (read !== undefined) return read(value, fields, next);
  return /^[.,]/.test(field) ? readFraction(field, value, fields) : readOffset(field, value, fields);
}

function setFraction(fields: TimeFields, digits: string): undefined {
  fields.nanosecond = Number(digits.slice(0, 9).padEnd(9, '0'));
}

/** Reads seconds, and a fraction even if the layout has none. */
function readSeconds(value: string, isFixed: boolean, fields: TimeFields, next: string): Read {
  const read = numbered('second', isFixed, [0, 59])(value, fields, next);
  if (read === undefined || read.outOfRange !== undefined || /^[.,]/.test(next)) return read;
  return matched(read.rest, /^[.,]\d+/, (text) => setFraction(fields, text.slice(1))) ?? read;
}

function readFraction(field: string, value: string, fields: TimeFields): Read {
  if (field[1] === '9')
    return matched(value, /^[.,]\d+/, (text) => setFraction(fields, text.slice(1))) ?? { rest: value };
  return matched(value, new RegExp(`^[.,]\\d{${field.length - 1}}`), (text) =>
    setFraction(fields, text.slice(1)),
  );
}

function readOffset(field: string, value: string, fields: TimeFields): Read {
  if (field.startsWith('Z') && value.startsWith('Z')) {
    fields.isUtc = true;
    return { rest: value.slice(1) };
  }
  const pattern = field.slice(1).replace(/\d\d/g, '(\\d\\d)');
  const match = new RegExp(`^([+-])${pattern}`).exec(value);
  if (match === null) return undefined;
  const [whole, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  fields.offsetSeconds = sign === '-' ? -size : size;
  const rest = value.slice(whole.length);
  const limits = [
    ['hour', hours, 24],
    ['minute', minutes, 60],
    ['second', seconds, 60],
  ] as const;
  const beyond = limits.findLast(([, found, limit]) => Number(found) > limit);
  return beyond === undefined ? { rest } : { rest, outOfRange: `time zone offset ${beyond[0]}` };
}

/** Matches capitals that can name a zone, GMT with an offset, or an offset. */
const ZONE_NAME =
  /^(?:ChST|MeST|GMT(?:[+-](?:0*(?:2[0-3]|1\d|\d))(?!\d))?|[+-]0*(?:2[0-3]|1\d|\d)(?!\d)|[A-Z]{4}T(?![A-Z])|(?:[A-Z]{3}T|WITA)(?![A-Z])|[A-Z]{3}(?![A-Z]))/;

function readZoneName(value: string, fields: TimeFields): Read {
  if (value.startsWith('UTC')) {
    fields.isUtc = true;
    return { rest: value.slice(3) };
  }
  return matched(value, ZONE_NAME, (text) => {
    fields.zoneName = text;
    return undefined;
  });
}
