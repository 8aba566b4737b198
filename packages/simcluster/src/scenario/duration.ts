const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^([+-]?)((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)$/;

/** The text of a duration: `250ms`, `10s`, `1h30m`; with a sign if it is an offset from now: `-40m`. */
export const DURATION_PATTERN = /^[+-]?(\d+(\.\d+)?(ms|s|m|h|d))+$/;

/**
 * Returns the milliseconds of `1h30m`, `-40m`, `250ms`. Throws a RangeError for anything else (the schema has already
 * checked it).
 */
export function durationMs(text: string): number {
  const match = DURATION.exec(text);
  if (match === null) throw new RangeError(`not a duration: ${text}`);
  let total = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return match[1] === '-' ? -total : total;
}
