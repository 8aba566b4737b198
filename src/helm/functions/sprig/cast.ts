import { plain } from '../../value/type.ts';
import { GoInt, type GoIntKind, type Value } from '../../value/value.ts';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** As spf13/cast makes an integer of anything: what cannot be one is 0 (https://github.com/spf13/cast). */
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
  // Named types of texts and numbers count by what they hold, times and durations by their own.
  const inner = plain(value);
  return inner === value || typeof inner === 'object' ? 0n : integerOf(inner);
}

/** Go's int64(f) on amd64: what does not fit is the least integer. */
function truncated(value: number): bigint {
  if (!Number.isFinite(value)) return LEAST;
  const whole = BigInt(Math.trunc(value));
  return whole < LEAST || whole > MOST ? LEAST : whole;
}

/** Decimal texts, a fraction of zeros cut off and leading zeros gone, or any Go literal: 0x1f, 0b1, 0o7, 1_000. */
function fromText(text: string): bigint {
  const trimmed = text.replace(/\.0*$/, '');
  const match = /^([+-]?)(.*)$/s.exec(trimmed);
  const sign = match?.[1] === '-' ? -1n : 1n;
  const digits = (match?.[2] ?? '').replace(/^0+(?=\d)/, '');
  const value = literal(digits);
  if (value === undefined) return 0n;
  const signed = sign * value;
  return signed < LEAST || signed > MOST ? 0n : signed;
}

function literal(digits: string): bigint | undefined {
  if (/^\d+$/.test(digits)) return BigInt(digits);
  if (!/^(0[xX](_?[0-9a-fA-F])+|0[bB](_?[01])+|0[oO](_?[0-7])+|\d(_?\d)*)$/.test(digits)) return undefined;
  return BigInt(digits.replaceAll('_', '').toLowerCase());
}

export function toInt64(value: Value): bigint {
  return integerOf(value);
}

/** `int`: an int is 64 bits wide wherever Helm runs. */
export function toInt(value: Value, kind: GoIntKind = 'int'): GoInt {
  return new GoInt(integerOf(value), kind);
}

/** As spf13/cast makes a float64 of anything. */
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

function floatOf(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return 0;
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
