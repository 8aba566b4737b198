import { GoError } from '../../../template/errors.ts';
import { type GoFunction, type GoReceiver, goFunction } from '../../../template/function.ts';
import { GoInt, type GoObject, type Value } from '../../../value/value.ts';
import { type Civil, civilOf, DAYS, daysOf, layoutFields, MONTHS } from './time-layout.ts';
import { UTC, type Zone, zoneOf } from './zones.ts';

const SECOND = 1_000_000_000n;
/** Go's zero time: the start of year 1. */
export const ZERO_TIME_NS = -62_135_596_800n * SECOND;

function floorDivide(value: bigint, by: bigint): bigint {
  return value >= 0n ? value / by : -((-value + by - 1n) / by);
}

/** A month or weekday: a number that prints as its name. */
class Named implements GoObject {
  readonly goType: string;
  readonly kind = 'int';
  readonly #number: number;
  readonly #name: string;

  constructor(goType: string, number: number, name: string) {
    this.goType = goType;
    this.#number = number;
    this.#name = name;
  }

  field(name: string): Value | undefined {
    return name === 'String' ? this.#name : undefined;
  }

  underlying(): Value {
    return new GoInt(this.#number);
  }

  json(): string {
    return String(this.#number);
  }

  toString(): string {
    return this.#name;
  }
}

/** An instant and its display zone: Go's time.Time. */
export class GoTime implements GoReceiver {
  readonly goType = 'time.Time';
  /** Since 1970. */
  readonly ns: bigint;
  readonly zone: Zone;

  constructor(ns: bigint, zone: Zone) {
    this.ns = ns;
    this.zone = zone;
  }

  get seconds(): bigint {
    return floorDivide(this.ns, SECOND);
  }

  get nanosecond(): number {
    return Number(this.ns - this.seconds * SECOND);
  }

  in(zone: Zone): GoTime {
    return new GoTime(this.ns, zone);
  }

  civil(): Civil {
    return civilOf(this.seconds + BigInt(this.zone.at(this.seconds).offsetSeconds));
  }

  format(layout: string): string {
    const civil = this.civil();
    return layoutFields(layout)
      .map(({ prefix, field }) => prefix + (field === '' ? '' : formatField(this, civil, field)))
      .join('');
  }

  field(name: string): Value | undefined {
    return FIELDS.get(name)?.(this, this.civil());
  }

  method(name: string): GoFunction | undefined {
    return METHODS.get(name)?.(this);
  }

  equals(other: Value): boolean {
    return other instanceof GoTime && other.ns === this.ns && other.zone === this.zone;
  }

  json(): string {
    const { year } = this.civil();
    if (year < 0 || year > 9999)
      throw new GoError(
        'json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]',
      );
    return `"${this.format('2006-01-02T15:04:05.999999999Z07:00')}"`;
  }

  toString(): string {
    return this.format('2006-01-02 15:04:05.999999999 -0700 MST');
  }
}

type Field = (time: GoTime, civil: Civil) => Value;
const int = (value: number) => new GoInt(value);
const int64 = (value: bigint) => new GoInt(BigInt.asIntN(64, value), 'int64');

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['Year', (_time, civil) => int(civil.year)],
  ['Month', (_time, civil) => new Named('time.Month', civil.month, MONTHS[civil.month - 1]!)],
  ['Day', (_time, civil) => int(civil.day)],
  ['Hour', (_time, civil) => int(civil.hour)],
  ['Minute', (_time, civil) => int(civil.minute)],
  ['Second', (_time, civil) => int(civil.second)],
  ['Nanosecond', (time) => int(time.nanosecond)],
  ['YearDay', (_time, civil) => int(civil.yearDay)],
  ['Weekday', (_time, civil) => new Named('time.Weekday', civil.weekday, DAYS[civil.weekday]!)],
  ['Unix', (time) => int64(time.seconds)],
  ['UnixMilli', (time) => int64(floorDivide(time.ns, 1_000_000n))],
  ['UnixMicro', (time) => int64(floorDivide(time.ns, 1000n))],
  ['UnixNano', (time) => int64(time.ns)],
  ['UTC', (time) => time.in(UTC)],
  ['Local', (time) => time.in(zoneOf('Local') ?? UTC)],
  ['IsZero', (time) => time.ns === ZERO_TIME_NS],
  ['String', (time) => time.toString()],
]);

const compared =
  (test: (a: bigint, b: bigint) => boolean) =>
  (time: GoTime): GoFunction =>
    goFunction(['time.Time'], 'bool', (_call, other) => test(time.ns, goTimeOf(other).ns));

const METHODS: ReadonlyMap<string, (time: GoTime) => GoFunction> = new Map([
  ['Format', (time) => goFunction(['string'], 'string', (_call, layout) => time.format(layout))],
  ['After', compared((a, b) => a > b)],
  ['Before', compared((a, b) => a < b)],
  ['Equal', compared((a, b) => a === b)],
  [
    'AddDate',
    (time) =>
      goFunction(['int', 'int', 'int'], 'time.Time', (_call, years, months, days) => {
        const { year, month, day, hour, minute, second } = time.civil();
        const date = daysOf(
          year + Number(years.value),
          month + Number(months.value),
          day + Number(days.value),
        );
        const seconds = atWall(
          BigInt(date) * 86_400n + BigInt(hour * 3600 + minute * 60 + second),
          time.zone,
        );
        return new GoTime(seconds * SECOND + BigInt(time.nanosecond), time.zone);
      }),
  ],
]);

/** Returns the instant at which clocks of a zone show a date and time, given as seconds since 1970 as if in UTC. */
export function atWall(wallSeconds: bigint, zone: Zone): bigint {
  const guess = wallSeconds - BigInt(zone.at(wallSeconds).offsetSeconds);
  return wallSeconds - BigInt(zone.at(guess).offsetSeconds);
}

/** Converts another library's time by its JSON text. */
export function goTimeOf(value: GoObject): GoTime {
  if (value instanceof GoTime) return value;
  const text: unknown = JSON.parse(value.json?.() ?? '""');
  const match = /^(.*T.*?)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(String(text));
  const ms = Date.parse(`${match?.[1]}${match?.[3]}`);
  if (Number.isNaN(ms)) throw new GoError(`not a time: ${value.toString()}`);
  const fraction = (match?.[2] ?? '.0').slice(1, 10).padEnd(9, '0');
  return new GoTime(BigInt(ms) * 1_000_000n + BigInt(fraction), UTC);
}

const padded = (value: number, width: number) =>
  (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(width, '0');

function formatField(time: GoTime, civil: Civil, field: string): string {
  const twelve = civil.hour % 12 || 12;
  switch (field) {
    case 'January':
      return MONTHS[civil.month - 1]!;
    case 'Jan':
      return MONTHS[civil.month - 1]!.slice(0, 3);
    case '1':
      return String(civil.month);
    case '01':
      return padded(civil.month, 2);
    case 'Monday':
      return DAYS[civil.weekday]!;
    case 'Mon':
      return DAYS[civil.weekday]!.slice(0, 3);
    case '2':
      return String(civil.day);
    case '_2':
      return String(civil.day).padStart(2);
    case '02':
      return padded(civil.day, 2);
    case '__2':
      return String(civil.yearDay).padStart(3);
    case '002':
      return padded(civil.yearDay, 3);
    case '15':
      return padded(civil.hour, 2);
    case '3':
      return String(twelve);
    case '03':
      return padded(twelve, 2);
    case '4':
      return String(civil.minute);
    case '04':
      return padded(civil.minute, 2);
    case '5':
      return String(civil.second);
    case '05':
      return padded(civil.second, 2);
    case '2006':
      return padded(civil.year, 4);
    case '06':
      return padded(Math.abs(civil.year) % 100, 2);
    case 'PM':
      return civil.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return civil.hour >= 12 ? 'pm' : 'am';
  }
  return /^[.,]/.test(field) ? fractionOf(time, field) : formatZone(time, field);
}

function fractionOf(time: GoTime, field: string): string {
  const digits = padded(time.nanosecond, 9)
    .padEnd(field.length - 1, '0')
    .slice(0, field.length - 1);
  if (field[1] === '0') return field[0] + digits;
  const some = digits.replace(/0+$/, '');
  return some === '' ? '' : field[0] + some;
}

function formatZone(time: GoTime, field: string): string {
  const { name, offsetSeconds } = time.zone.at(time.seconds);
  if (field === 'MST') return name === '' ? offset(offsetSeconds, '-0700') : name;
  return field.startsWith('Z') && offsetSeconds === 0 ? 'Z' : offset(offsetSeconds, field);
}

function offset(seconds: number, field: string): string {
  const minutes = Math.trunc(seconds / 60);
  const colon = field.includes(':') ? ':' : '';
  const size = Math.abs(minutes);
  let text = (minutes < 0 ? '-' : '+') + padded(Math.floor(size / 60), 2);
  if (field.length > 3) text += colon + padded(size % 60, 2);
  if (field.length > 6) text += colon + padded(Math.abs(seconds) % 60, 2);
  return text;
}
