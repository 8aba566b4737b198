/** Digits of a positive number: 0.DIGITS times ten to the power of `point`. No zeros at the end. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'x' | 'X' | 'b';

/**
 * strconv.FormatFloat of a float64. `precision` -1 means the fewest digits that read back as the same number. Rounding
 * is exact and half to even, unlike toFixed and toExponential (https://pkg.go.dev/strconv#FormatFloat).
 */
export function formatFloat(value: number, verb: FloatVerb, precision = -1): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (verb === 'x' || verb === 'X') return sign + hexadecimal(size, verb, precision);
  if (verb === 'b') return sign + binary(size);
  if (verb === 'f') {
    const decimal = precision < 0 ? shortest(size) : exactTo(size, (point) => point + precision);
    return (
      sign + plain(decimal, precision < 0 ? Math.max(decimal.digits.length - decimal.point, 0) : precision)
    );
  }
  if (verb === 'e' || verb === 'E') {
    const decimal = precision < 0 ? shortest(size) : exactTo(size, () => precision + 1);
    return (
      sign + scientific(decimal, precision < 0 ? Math.max(decimal.digits.length - 1, 0) : precision, verb)
    );
  }
  return sign + general(size, verb, precision);
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

/** Mantissa and power of two of a finite positive number. */
function parts(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const raw = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  return raw === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: raw - 1075 };
}

/** All digits of the number, rounded half to even to as many as `count` says for the place of its point. */
function exactTo(size: number, count: (point: number) => number): Decimal {
  if (size === 0) return { digits: '', point: 1 };
  const { mantissa, exponent } = parts(size);
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

function plain({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const integer = digits === '' || whole === '' ? '0' : whole;
  if (places <= 0) return integer;
  const shifted = digits === '' ? '' : '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  return `${integer}.${shifted.slice(0, places).padEnd(places, '0')}`;
}

function scientific({ digits, point }: Decimal, places: number, letter: 'e' | 'E'): string {
  const first = digits[0] ?? '0';
  const rest = places > 0 ? `.${digits.slice(1, places + 1).padEnd(places, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function hexadecimal(size: number, verb: 'x' | 'X', precision: number): string {
  let { mantissa, exponent } = parts(size);
  let power = 0;
  if (size !== 0) {
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n;
      exponent--;
    }
    power = exponent + 52;
    if (precision >= 0 && precision < 13) {
      const drop = BigInt(4 * (13 - precision));
      const half = 1n << (drop - 1n);
      const low = mantissa & ((1n << drop) - 1n);
      mantissa >>= drop;
      if (low > half || (low === half && (mantissa & 1n) === 1n)) mantissa++;
      mantissa <<= drop;
      if (mantissa >= 1n << 53n) {
        mantissa >>= 1n;
        power++;
      }
    }
  }
  const fraction = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0');
  const shown = precision < 0 ? trimZeros(fraction) : fraction.slice(0, precision).padEnd(precision, '0');
  const lead = size === 0 ? '0' : '1';
  const text = `0x${lead}${shown === '' ? '' : `.${shown}`}p${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return verb === 'X' ? text.toUpperCase() : text;
}

function binary(size: number): string {
  const { mantissa, exponent } = parts(size);
  return `${mantissa}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}
