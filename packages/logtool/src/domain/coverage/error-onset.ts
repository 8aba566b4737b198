/** Fewer errors in two buckets are no change of rate. */
const MIN_ERRORS = 3;
/** Errors come this many times as often as before. */
const FACTOR = 4;

/**
 * Where errors begin: the first bucket, after at least one other, that has errors, four times as many as a bucket had on
 * average before, and with the next one at least three, and four times as many as two buckets had before. Looks no further than what was read from the
 * beginning on: `errors` of that part, by bucket of equal width. Undefined: nowhere in it.
 */
export function findErrorOnset(errors: readonly number[]): number | undefined {
  let before = errors[0] ?? 0;
  for (let bucket = 1; bucket < errors.length; bucket++) {
    const own = errors[bucket] ?? 0;
    const two = own + (errors[bucket + 1] ?? 0);
    const usual = before / bucket;
    if (own > 0 && own >= FACTOR * usual && two >= Math.max(MIN_ERRORS, FACTOR * 2 * usual)) return bucket;
    before += own;
  }
  return undefined;
}
