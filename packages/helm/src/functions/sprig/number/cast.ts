import { readInteger } from '../../../template/parse/literal.ts';
import { plain } from '../../../value/type.ts';
import { GoInt, type GoIntKind, type Value } from '../../../value/value.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Converts anything to an integer like spf13/cast; unconvertible values become 0 (https://github.com/spf13/cast). */
function integerOf(value: Value): bigint {
  switch (typeof value) {
    case 'boolean':
      return value ? 1n : 0n;
    case 'number':
      return truncated(value);
    case 'string':
      return fromText(value);
  }
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  // Named types of texts and numbers convert by their content, times and durations by themselves.
  const inner = plain(value);
  return inner === value || typeof inner === 'object' ? 0n : integerOf(inner);
}

/** Go's int64(f) on amd64: an overflow gives the smallest integer. */
function truncated(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const whole = BigInt(Math.trunc(value));
  return whole < MIN_INT64 || whole > MAX_INT64 ? MIN_INT64 : whole;
}

/** Drops a fraction of zeros, then reads any Go literal: 12, 0x1f, 0b1, 0o7, 017, 1_000. */
function fromText(text: string): bigint {
  const value = readInteger(text.replace(/\.0+$/, '')) ?? 0n;
  return value < MIN_INT64 || value > MAX_INT64 ? 0n : value;
}

export function toInt64(value: Value): bigint {
  return integerOf(value);
}

/** `int`: 64 bits wide on every platform of Helm. */
export function toInt(value: Value, kind: GoIntKind = 'int'): GoInt {
  return new GoInt(integerOf(value), kind);
}

/** Converts anything to a float64 like spf13/cast. */
export function toFloat64(value: Value): number {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0;
    case 'number':
      return value;
    case 'string':
      return floatOf(value);
  }
  if (value instanceof GoInt) return Number(value.value);
  const inner = plain(value);
  return inner === value || typeof inner === 'object' ? 0 : toFloat64(inner);
}

/** Go's strconv.ParseFloat: decimal or hexadecimal, with underscores between digits. Invalid text gives 0. */
function floatOf(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = hexFloat(text) ?? (DECIMAL.test(text) ? Number(text.replaceAll('_', '')) : 0);
  return Number.isFinite(value) ? value : 0;
}

const DECIMAL = /^[+-]?(\d(_?\d)*\.?(\d(_?\d)*)?|\.\d(_?\d)*)(e[+-]?\d(_?\d)*)?$/i;
const HEXADECIMAL = /^([+-]?)0x((?:_?[\da-f])*)\.?([\da-f](?:_?[\da-f])*)?p([+-]?\d+)$/i;

function hexFloat(text: string): number | undefined {
  const match = HEXADECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power] = match;
  const digits = (whole + fraction).replaceAll('_', '');
  if (digits === '') return undefined;
  const value =
    Number(BigInt(`0x${digits}`)) * 2 ** (Number(power) - 4 * fraction.replaceAll('_', '').length);
  return sign === '-' ? -value : value;
}
