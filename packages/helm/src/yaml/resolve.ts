const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})/;

const TIME_WITH_ZONE = /^[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

const TIME_WITHOUT_ZONE = /^ +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?$/;

/** A YAML 1.1 scalar: integers are bigint and floats number, to distinguish them. */
export type YamlScalar = null | boolean | bigint | number | string;

/** The value that go-yaml 2 decodes from a text: map keys may be any scalar. */
export type YamlValue = YamlScalar | YamlValue[] | Map<YamlValue, YamlValue>;

export type ScalarKind = 'str' | 'null' | 'bool' | 'int' | 'float' | 'timestamp';

export interface ResolvedScalar {
  readonly kind: ScalarKind;
  readonly value: YamlScalar;
}

const NAMED_SCALARS: ReadonlyMap<string, ResolvedScalar> = new Map([
  ...scalars('bool', true, 'y Y yes Yes YES true True TRUE on On ON'),
  ...scalars('bool', false, 'n N no No NO false False FALSE off Off OFF'),
  ...scalars('null', null, '~ null Null NULL'),
  ...scalars('float', Number.NaN, '.nan .NaN .NAN'),
  ...scalars('float', Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...scalars('float', Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'),
  ['', { kind: 'null', value: null }] as const,
]);

function scalars(kind: ScalarKind, value: YamlScalar, list: string): [string, ResolvedScalar][] {
  return list.split(' ').map((name) => [name, { kind, value }]);
}

/**
 * Resolves a plain scalar like go-yaml 2: YAML 1.1 words, integers with any of Go's prefixes, floats, timestamps (whose
 * value stays the text), else text.
 */
export function resolvePlain(text: string): ResolvedScalar {
  const scalar = NAMED_SCALARS.get(text);
  if (scalar !== undefined) return scalar;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return resolveFloat(/^\.\d+(?:[eE][-+]?\d+)?$/, text, text);
  if (first === 0x2b || first === 0x2d || (first >= 0x30 && first <= 0x39)) {
    if (isTimestamp(text)) return { kind: 'timestamp', value: text };
    return resolveNumber(text);
  }
  return { kind: 'str', value: text };
}

const DECIMAL_FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

function resolveNumber(text: string): ResolvedScalar {
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain);
  if (integer !== undefined) return { kind: 'int', value: integer };
  return resolveFloat(DECIMAL_FLOAT, plain, text);
}

function resolveFloat(form: RegExp, plain: string, text: string): ResolvedScalar {
  if (form.test(plain)) {
    const value = Number(plain);
    if (Number.isFinite(value)) return { kind: 'float', value };
  }
  return { kind: 'str', value: text };
}

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
const INTEGER = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/;

/** Parses a 64-bit integer in Go's base 0: decimal, `0x`, `0b`, `0o` and a leading zero for octal. */
function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hexadecimal, binary, octal, oldOctal, decimal] = match;
  // Longer than any 64-bit number: skip the slow parsing.
  if (text.replace(/^[-+]?(?:0[xXbBoO])?0*/, '').length > 64) return undefined;
  const size =
    hexadecimal !== undefined
      ? BigInt(`0x${hexadecimal}`)
      : binary !== undefined
        ? BigInt(`0b${binary}`)
        : decimal !== undefined
          ? BigInt(decimal)
          : BigInt(`0o${octal ?? oldOctal}`);
  if (sign === '-') return size <= MAX_INT64 + 1n ? -size : undefined;
  // Go's unsigned parser accepts no sign.
  return size <= (sign === '+' ? MAX_INT64 : MAX_UINT64) ? size : undefined;
}

const BASE_60_FLOAT = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Whether a text without quotes still reads as a text, also for YAML 1.1 readers with base 60 numbers. */
export function staysText(text: string): boolean {
  return resolvePlain(text).kind === 'str' && !BASE_60_FLOAT.test(text);
}

/**
 * Whether a text is a YAML 1.1 timestamp (https://yaml.org/type/timestamp.html) in a form that go-yaml accepts: a date;
 * a date, `T` and a time with a zone; a date, spaces and a time without one.
 */
function isTimestamp(text: string): boolean {
  const date = DATE.exec(text);
  if (date === null || !isDay(Number(date[1]), Number(date[2]), Number(date[3]))) return false;
  const rest = text.slice(date[0].length);
  if (rest === '') return true;
  const time = TIME_WITH_ZONE.exec(rest) ?? TIME_WITHOUT_ZONE.exec(rest);
  if (time === null) return false;
  const [, hour, minute, second, zoneHour = '0', zoneMinute = '0'] = time;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return Number(zoneHour) <= 24 && Number(zoneMinute) <= 60;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}
