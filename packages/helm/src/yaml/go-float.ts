/**
 * Formats a float like Go's `strconv.FormatFloat(value, 'g', -1, bits)`: the shortest digits that read back as the same
 * number, with an exponent of at least two digits if it is below -4 or above 5.
 * https://pkg.go.dev/strconv#FormatFloat
 */
export function formatGoFloat(value: number, bits: 32 | 64 = 64): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(bits === 64 ? value : Math.fround(value))) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const shortest = bits === 64 ? value.toExponential() : shortestSingle(value);
  const [mantissa = '', power = '0'] = shortest.split('e');
  const exponent = Number(power);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return (
    sign +
    (exponent < -4 || exponent >= EXPONENT_FROM ? scientific(digits, exponent) : fixed(digits, exponent))
  );
}

/** With the shortest digits, Go's 'g' uses a precision of six to decide on an exponent. */
const EXPONENT_FROM = 6;

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const sign = exponent < 0 ? '-' : '+';
  return `${digits[0]}${fraction}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function fixed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Returns the fewest digits that read back as the same single-precision number. */
function shortestSingle(value: number): string {
  const single = Math.fround(value);
  for (let digits = 0; digits < 9; digits++) {
    const text = single.toExponential(digits);
    if (Math.fround(Number(text)) === single) return text;
  }
  return single.toExponential(9);
}

/** Like `formatGoFloat`, with YAML's names for NaN and infinities. */
export function yamlFloat(value: number, bits: 32 | 64 = 64): string {
  const text = formatGoFloat(value, bits);
  if (text === 'NaN') return '.nan';
  return text === '+Inf' ? '.inf' : text === '-Inf' ? '-.inf' : text;
}
