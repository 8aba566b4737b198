/** A length of time, never negative. */
export interface Duration {
  readonly seconds: number;
  /** Nanoseconds beyond the whole seconds, 0 to 999,999,999. */
  readonly nanos: number;
}

/**
 * Result of reading a text as a duration. `calendar`: it counts years or months, whose length is not fixed; `too-long`:
 * beyond any log; `malformed`: it is not a duration.
 */
export type DurationResult =
  | { readonly kind: 'duration'; readonly duration: Duration }
  | { readonly kind: 'calendar' | 'too-long' | 'malformed' };

const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`;
const ISO = new RegExp(
  `^P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  'i',
);
const GO_UNIT = /(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h|d|w)/y;
const GO_UNIT_NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};
const SECOND = 1_000_000_000n;
/** About 300 years: the range of Go's own durations, and more than any log. */
const LIMIT_SECONDS = 9_223_372_036n;

/**
 * Reads an ISO 8601 duration (`PT30M`, `P1DT2H`, `PT0.5S`, `P2W`; any part may have a fraction) or one in the form of
 * Go's time.ParseDuration (`30m`, `1h30m`, `1.5h`), which kubectl takes, with days and weeks as further units (`1d`,
 * `2w`). Rejects a sign.
 */
export function parseDuration(text: string): DurationResult {
  if (text.length > 100) return { kind: 'malformed' };
  return /^p/i.test(text) ? parseIso(text) : parseGo(text);
}

function parseIso(text: string): DurationResult {
  const match = ISO.exec(text);
  if (match === null || /[PT]$/i.test(text)) return { kind: 'malformed' };
  const [, years, months, weeks, days, hours, minutes, seconds] = match;
  if (years !== undefined || months !== undefined) return { kind: 'calendar' };
  const total =
    scaled(weeks, 604_800n * SECOND) +
    scaled(days, 86_400n * SECOND) +
    scaled(hours, 3600n * SECOND) +
    scaled(minutes, 60n * SECOND) +
    scaled(seconds, SECOND);
  return fromNanos(total);
}

function parseGo(text: string): DurationResult {
  if (text === '0') return fromNanos(0n);
  let total = 0n;
  GO_UNIT.lastIndex = 0;
  while (GO_UNIT.lastIndex < text.length) {
    const match = GO_UNIT.exec(text);
    if (match === null) return { kind: 'malformed' };
    total += scaled(match[1], GO_UNIT_NANOS[match[2] ?? ''] ?? 0n);
  }
  return text === '' ? { kind: 'malformed' } : fromNanos(total);
}

/** Converts a decimal number of units to whole nanoseconds, truncated. Exact, unlike floating point. */
function scaled(number: string | undefined, unitNanos: bigint): bigint {
  if (number === undefined) return 0n;
  const [whole = '', fraction = ''] = number.split(/[.,]/);
  return (
    BigInt(whole || '0') * unitNanos + (BigInt(fraction || '0') * unitNanos) / 10n ** BigInt(fraction.length)
  );
}

function fromNanos(total: bigint): DurationResult {
  if (total / SECOND > LIMIT_SECONDS) return { kind: 'too-long' };
  return { kind: 'duration', duration: { seconds: Number(total / SECOND), nanos: Number(total % SECOND) } };
}
