import { DAYS, MONTHS } from './time-layout.ts';

/** What has been read so far; undefined is what the text does not say. */
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

/** The rest of the text after a part; a text alone names what is out of range; undefined: the text does not fit. */
type Read = { readonly rest: string; readonly outOfRange?: string } | undefined;

function matched(value: string, pattern: RegExp, take: (text: string) => string | undefined): Read {
  const text = pattern.exec(value)?.[0];
  if (text === undefined) return undefined;
  const outOfRange = take(text);
  const rest = value.slice(text.length);
  return outOfRange === undefined ? { rest } : { rest, outOfRange };
}

/** One or two digits, or exactly two. */
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

/** Reads what one part of a layout stands for; `next` is the part behind it. */
export function readPart(part: string, value: string, fields: TimeFields, next: string): Read {
  const isFixed = part.startsWith('0');
  const upTo = (limit: number, what: string, set: (value: number) => void) => (found: number) => {
    set(found);
    return found > limit ? what : undefined;
  };
  const month = (index: number) => {
    fields.month = index + 1;
  };
  switch (part) {
    case '2006':
      return matched(value, /^\d{4}/, (text) => {
        fields.year = Number(text);
        return undefined;
      });
    case '06':
      return matched(value, /^\d\d/, (text) => {
        fields.year = Number(text) + (Number(text) >= 69 ? 1900 : 2000);
        return undefined;
      });
    case 'January':
      return named(value, MONTHS, month);
    case 'Jan':
      return named(value, short(MONTHS), month);
    case '1':
    case '01':
      return number(value, isFixed, (found) => {
        fields.month = found;
        return found < 1 || found > 12 ? 'month' : undefined;
      });
    case 'Monday':
      return named(value, DAYS, () => {});
    case 'Mon':
      return named(value, short(DAYS), () => {});
    case '2':
    case '_2':
    case '02':
      return number(part === '_2' ? value.replace(/^ /, '') : value, isFixed, (found) => {
        fields.day = found;
        return undefined;
      });
    case '__2':
    case '002':
      return matched(
        part === '__2' ? value.replace(/^ {1,2}/, '') : value,
        part === '002' ? /^\d{3}/ : /^\d{1,3}/,
        (text) => {
          fields.yearDay = Number(text);
          return undefined;
        },
      );
    case '15':
      return number(
        value,
        false,
        upTo(23, 'hour', (found) => {
          fields.hour = found;
        }),
      );
    case '3':
    case '03':
      return number(
        value,
        isFixed,
        upTo(12, 'hour', (found) => {
          fields.hour = found;
        }),
      );
    case '4':
    case '04':
      return number(
        value,
        isFixed,
        upTo(59, 'minute', (found) => {
          fields.minute = found;
        }),
      );
    case '5':
    case '05':
      return readSeconds(value, isFixed, fields, next);
    case 'PM':
    case 'pm':
      return matched(value, part === 'PM' ? /^[AP]M/ : /^[ap]m/, (text) => {
        fields.half = text.toLowerCase() as 'am' | 'pm';
        return undefined;
      });
    case 'MST':
      return readZoneName(value, fields);
  }
  return /^[.,]/.test(part) ? readFraction(part, value, fields) : readOffset(part, value, fields);
}

function setFraction(fields: TimeFields, digits: string): undefined {
  fields.nanosecond = Number(digits.slice(0, 9).padEnd(9, '0'));
}

/** Seconds may have a fraction that the layout does not name. */
function readSeconds(value: string, isFixed: boolean, fields: TimeFields, next: string): Read {
  const read = number(value, isFixed, (found) => {
    fields.second = found;
    return found > 59 ? 'second' : undefined;
  });
  if (read === undefined || read.outOfRange !== undefined || /^[.,]/.test(next)) return read;
  return matched(read.rest, /^[.,]\d+/, (text) => setFraction(fields, text.slice(1))) ?? read;
}

function readFraction(part: string, value: string, fields: TimeFields): Read {
  if (part[1] === '9')
    return matched(value, /^[.,]\d+/, (text) => setFraction(fields, text.slice(1))) ?? { rest: value };
  return matched(value, new RegExp(`^[.,]\\d{${part.length - 1}}`), (text) =>
    setFraction(fields, text.slice(1)),
  );
}

function readOffset(part: string, value: string, fields: TimeFields): Read {
  if (part.startsWith('Z') && value.startsWith('Z')) {
    fields.isUtc = true;
    return { rest: value.slice(1) };
  }
  const pattern = part.slice(1).replace(/\d\d/g, '(\\d\\d)');
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

/** Capitals that can be the name of a zone, GMT with an offset, or an offset. */
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
