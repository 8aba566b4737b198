/** The digits of a positive number: 0.DIGITS times ten to the power of `point`. No trailing zeros. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'x' | 'X' | 'b';

/**
 * Go's strconv.FormatFloat for a float64. `precision` -1 means the fewest digits that read back as the same number.
 * Rounds exactly, half to even, unlike toFixed and toExponential (https://pkg.go.dev/strconv#FormatFloat).
 */
export function formatFloat(value: number, verb: FloatVerb, precision = -1): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + formatSize(Math.abs(value), verb, precision);
}

function formatSize(size: number, verb: FloatVerb, precision: number): string {
  switch (verb) {
    case 'f':
      return fixed(size, precision);
    case 'e':
    case 'E':
      return exponential(size, verb, precision);
    case 'g':
    case 'G':
      return general(size, verb, precision);
    case 'x':
      return hexadecimal(size, precision);
    case 'X':
      return hexadecimal(size, precision).toUpperCase();
    case 'b':
      return binary(size);
  }
}

function fixed(size: number, precision: number): string {
  if (precision >= 0)
    return plain(
      exactTo(size, (point) => point + precision),
      precision,
    );
  const decimal = shortest(size);
  return plain(decimal, Math.max(decimal.digits.length - decimal.point, 0));
}

function exponential(size: number, letter: 'e' | 'E', precision: number): string {
  if (precision >= 0)
    return scientific(
      exactTo(size, () => precision + 1),
      precision,
      letter,
    );
  const decimal = shortest(size);
  return scientific(decimal, Math.max(decimal.digits.length - 1, 0), letter);
}

function general(size: number, verb: 'g' | 'G', precision: number): string {
  const wanted = precision === 0 ? 1 : precision;
  const decimal = precision < 0 ? shortest(size) : exactTo(size, () => wanted);
  const { digits, point } = decimal;
  let limit = wanted;
  if (limit > digits.length && digits.length >= point) limit = digits.length;
  if (precision < 0) limit = 6;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= limit) {
    const shown = precision < 0 || wanted > digits.length ? digits.length : wanted;
    return scientific(decimal, Math.max(shown - 1, 0), verb === 'G' ? 'E' : 'e');
  }
  return plain(decimal, Math.max(digits.length - point, 0));
}

function shortest(size: number): Decimal {
  if (size === 0) return { digits: '', point: 1 };
  const [mantissa, exponent] = size.toExponential().split('e') as [string, string];
  return { digits: trimZeros(mantissa.replace('.', '')), point: Number(exponent) + 1 };
}

function trimZeros(digits: string): string {
  return digits.replace(/0+$/, '');
}

/** Returns mantissa and power of two of a finite positive number. */
function decompose(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const raw = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  return raw === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: raw - 1075 };
}

/**
 * Returns the digits of a number, rounded half to even; `count` returns how many to keep for the position of the
 * decimal point.
 */
function exactTo(size: number, count: (point: number) => number): Decimal {
  if (size === 0) return { digits: '', point: 1 };
  const { mantissa, exponent } = decompose(size);
  const all = (exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent)).toString();
  const point = exponent >= 0 ? all.length : all.length + exponent;
  const keep = count(point);
  if (keep < 0) return { digits: '', point };
  if (keep >= all.length) return { digits: trimZeros(all), point };
  const rest = all.slice(keep);
  const tie = rest[0] === '5' && /^50*$/.test(rest);
  const odd = keep > 0 && Number(all[keep - 1]) % 2 === 1;
  const up = tie ? odd : rest[0]! >= '5';
  if (!up) return { digits: trimZeros(all.slice(0, keep)), point };
  const raised = (BigInt(all.slice(0, keep) || '0') + 1n).toString();
  return { digits: trimZeros(raised), point: raised.length > keep ? point + 1 : point };
}

function plain({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const integer = digits === '' || whole === '' ? '0' : whole;
  if (precision <= 0) return integer;
  const shifted = digits === '' ? '' : '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  return `${integer}.${shifted.slice(0, precision).padEnd(precision, '0')}`;
}

function scientific({ digits, point }: Decimal, precision: number, letter: 'e' | 'E'): string {
  const first = digits[0] ?? '0';
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** The hexadecimal digits of a float64's fraction. */
const HEX_DIGITS = 13;
const ONE = 1n << 52n;

function hexadecimal(size: number, precision: number): string {
  const { mantissa, power } = size === 0 ? { mantissa: 0n, power: 0 } : rounded(normalized(size), precision);
  const fraction = (mantissa & (ONE - 1n)).toString(16).padStart(HEX_DIGITS, '0');
  const shown = precision < 0 ? trimZeros(fraction) : fraction.slice(0, precision).padEnd(precision, '0');
  const point = shown === '' ? '' : `.${shown}`;
  const sign = power < 0 ? '-' : '+';
  return `0x${size === 0 ? '0' : '1'}${point}p${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A number with `mantissa` / 2^52 at least 1 and less than 2, times 2^`power`. */
interface Normalized {
  readonly mantissa: bigint;
  readonly power: number;
}

function normalized(size: number): Normalized {
  let { mantissa, exponent } = decompose(size);
  while (mantissa < ONE) {
    mantissa <<= 1n;
    exponent--;
  }
  return { mantissa, power: exponent + 52 };
}

/** Rounds half to even to the given number of hexadecimal digits; -1 keeps all. */
function rounded({ mantissa, power }: Normalized, precision: number): Normalized {
  if (precision < 0 || precision >= HEX_DIGITS) return { mantissa, power };
  const drop = BigInt(4 * (HEX_DIGITS - precision));
  const half = 1n << (drop - 1n);
  const low = mantissa & ((1n << drop) - 1n);
  const kept = mantissa >> drop;
  const isUp = low > half || (low === half && (kept & 1n) === 1n);
  const result = (isUp ? kept + 1n : kept) << drop;
  return result < ONE << 1n ? { mantissa: result, power } : { mantissa: result >> 1n, power: power + 1 };
}

function binary(size: number): string {
  const { mantissa, exponent } = decompose(size);
  return `${mantissa}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}
