import { GoError } from '../../../template/errors.ts';
import { formatFloat } from '../../../value/float.ts';

/** An exact decimal: digits * 10^power. */
export interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

/** Returns the shortest decimal that reads back as the same float64. Throws GoError for NaN and infinities. */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${formatFloat(value, 'g')}`);
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [, fraction = ''] = mantissa.split('.');
  return { digits: BigInt(mantissa.replace('.', '')), power: Number(power) - fraction.length };
}

/** Returns the nearest float64. */
export function toNumber({ digits, power }: Decimal): number {
  return digits === 0n ? 0 : Number(`${digits}e${power}`);
}

/** Scales both to the same power. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const power = Math.min(a.power, b.power);
  const scaled = (one: Decimal) => one.digits * 10n ** BigInt(one.power - power);
  return [scaled(a), scaled(b), power];
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const [left, right, power] = aligned(a, b);
  return { digits: left + right, power };
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, { digits: -b.digits, power: b.power });
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, power: a.power + b.power };
}

/** Digits after the decimal point of a quotient (https://github.com/shopspring/decimal DivisionPrecision). */
const PRECISION = 16;

/** Divides to 16 decimal places, rounding half away from zero. */
export function over(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new GoError('decimal division by 0');
  const shift = a.power - b.power + PRECISION;
  const above = shift > 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const below = shift < 0 ? b.digits * 10n ** BigInt(-shift) : b.digits;
  const isNegative = above < 0n !== below < 0n;
  const rest = magnitude(above % below);
  const quotient = magnitude(above / below) + (2n * rest >= magnitude(below) ? 1n : 0n);
  return { digits: isNegative ? -quotient : quotient, power: -PRECISION };
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
