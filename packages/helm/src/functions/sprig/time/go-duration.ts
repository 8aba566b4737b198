import { GoError } from '../../../template/errors.ts';

const MAX = 2n ** 63n;
const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);

/** Quotes byte by byte, as Go does in these errors. */
export function quoteBytes(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\0-\x1f]|[^\0-\x7f]+/g, (run) =>
      Array.from(Buffer.from(run), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `"${escaped}"`;
}

/**
 * Parses a text such as `-1h30.5m` to ns, like time.ParseDuration.
 * @throws GoError
 */
export function parseDuration(text: string): bigint {
  const isNegative = text.startsWith('-');
  const size = text.replace(/^[-+]/, '');
  if (size === '0') return 0n;
  if (size === '') throw invalidDuration(text);
  let sum = 0n;
  for (let at = text.length - size.length; at < text.length; ) {
    const term = readTerm(text, at);
    sum += term.ns;
    at = term.end;
    if (sum > MAX) throw invalidDuration(text);
  }
  if (!isNegative && sum === MAX) throw invalidDuration(text);
  return isNegative ? -sum : sum;
}

function invalidDuration(text: string): GoError {
  return new GoError(`time: invalid duration ${quoteBytes(text)}`);
}

/** Reads a number with its unit; `end` is the index after both. */
function readTerm(text: string, from: number): { readonly ns: bigint; readonly end: number } {
  const [number = ''] = /^\d*(\.\d*)?/.exec(text.slice(from)) ?? [];
  if (!/\d/.test(number)) throw invalidDuration(text);
  const [name = ''] = /^[^.\d]*/.exec(text.slice(from + number.length)) ?? [];
  const [whole = '', fraction = ''] = number.split('.');
  if (BigInt(whole || 0) > MAX) throw invalidDuration(text);
  if (name === '') throw new GoError(`time: missing unit in duration ${quoteBytes(text)}`);
  const unit = UNITS.get(name);
  if (unit === undefined)
    throw new GoError(`time: unknown unit ${quoteBytes(name)} in duration ${quoteBytes(text)}`);
  const digits = fraction.slice(0, 18);
  const amount = Number(digits || 0) * (Number(unit) / 10 ** digits.length);
  const ns = BigInt(whole || 0) * unit + BigInt(Math.trunc(amount));
  return { ns, end: from + number.length + name.length };
}

/** Formats ns like time.Duration's String: `1h2m3.5s`. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const size = ns < 0n ? -ns : ns;
  const sign = ns < 0n ? '-' : '';
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}\u00b5s`;
  if (size < SECOND) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / (60n * SECOND);
  const seconds = `${decimal(size % (60n * SECOND), 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const fraction = String(value % scale)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${value / scale}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Rounds to whole seconds, half away from zero. */
export function roundToSeconds(ns: bigint): bigint {
  const half = ns < 0n ? -SECOND / 2n : SECOND / 2n;
  const rounded = ((ns + half) / SECOND) * SECOND;
  return rounded >= MAX ? MAX - 1n : rounded < -MAX ? -MAX : rounded;
}

/** Limits ns to the range of a time.Duration: 292 years. */
export function clampDuration(ns: bigint): bigint {
  if (ns >= MAX) return MAX - 1n;
  return ns < -MAX ? -MAX : ns;
}
