/** Fewer errors are not a change of rate. */
const MIN_ERRORS = 3;
/** Minimum factor between the new and the previous rate of errors. */
const FACTOR = 2;
/** Minimum buckets without a change before one can be detected. */
export const MIN_BEFORE = 8;
/** Buckets before an outbreak in which single errors belong to it. */
const LEAD_BUCKETS = 32;

/**
 * Evidence that a random rise reaches in about one of a hundred ranges, or fewer: a longer range requires more
 * evidence.
 */
const MIN_EVIDENCE = Math.log(100);
/** After this many buckets with errors, the usual size of bunches is half as uncertain. */
const KNOWN_BUCKETS = 8;

/** Lengths in buckets over which to search for a rise: short ones find a steep one, long ones a slow one. */
const LENGTHS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/**
 * Returns the bucket in which errors begin: from there on, for some time, they come at least twice as often as in the
 * whole preceding part, and by more than chance explains. Chance is a Poisson process; if errors were uneven before, it
 * is as much more uneven as they were. Among all such buckets, returns the one that explains the first rise best; if
 * the only errors before it come shortly before it, the first of those. Considers only what was read from the beginning
 * on: `errors` of that part, by bucket of equal width. Later errors never move the result. Undefined: no beginning
 * found.
 *
 * The measure is the likelihood ratio of a change of rate against none: D. Siegmund and E. Venkatraman, "Using the
 * generalized likelihood ratio statistic for sequential detection of a change-point", 1995.
 */
export function findErrorOnset(errors: readonly number[]): number | undefined {
  const sums = sumsOf(errors);
  for (let end = MIN_BEFORE + 1; end <= errors.length; end++) {
    if (errors[end - 1] === 0) continue;
    const least = Math.log(end) + MIN_EVIDENCE;
    if (LENGTHS.some((length) => evidenceOf(sums, end - length, end) >= least))
      return firstOf(errors, sums, likeliestBegin(errors, sums, end));
  }
  return undefined;
}

/**
 * Cumulative values of the first buckets, by their number: errors, sum of squares, maximum, and number of buckets with
 * errors.
 */
interface Sums {
  readonly errors: Float64Array;
  readonly squares: Float64Array;
  readonly most: Float64Array;
  readonly filled: Float64Array;
}

function sumsOf(errors: readonly number[]): Sums {
  const make = () => new Float64Array(errors.length + 1);
  const sums = { errors: make(), squares: make(), most: make(), filled: make() };
  errors.forEach((count, at) => {
    sums.errors[at + 1] = sums.errors[at]! + count;
    sums.squares[at + 1] = sums.squares[at]! + count ** 2;
    sums.most[at + 1] = Math.max(sums.most[at]!, count);
    sums.filled[at + 1] = sums.filled[at]! + Number(count > 0);
  });
  return sums;
}

/**
 * Returns how much likelier the errors are if they come more often in [begin, end) than before it; negative: they do
 * not.
 */
function evidenceOf(sums: Sums, begin: number, end: number): number {
  if (begin < MIN_BEFORE) return -1;
  const before = sums.errors[begin]!;
  const own = sums.errors[end]! - before;
  const length = end - begin;
  if (own < MIN_ERRORS || own * begin < FACTOR * before * length) return -1;
  const all = before + own;
  const gain = own * Math.log((own / all) * (end / length));
  const loss = before === 0 ? 0 : before * Math.log((before / all) * (end / begin));
  return (gain + loss) / unevennessOf(sums, begin);
}

/** Returns how many times as uneven as by chance the errors before a bucket are, at least 1; more, if few are known. */
function unevennessOf({ errors, squares, most, filled }: Sums, begin: number): number {
  const before = errors[begin]!;
  if (before === 0) return 1;
  const uneven = Math.max(1, squares[begin]! / before - before / begin);
  return most[begin]! > 1 ? uneven * (1 + KNOWN_BUCKETS / filled[begin]!) : uneven;
}

/** Returns the bucket that best explains that errors come more often before `end`. */
function likeliestBegin(errors: readonly number[], sums: Sums, end: number): number {
  let [best, most] = [end - 1, -1];
  for (let begin = MIN_BEFORE; begin < end; begin++) {
    const evidence = errors[begin] === 0 ? -1 : evidenceOf(sums, begin, end);
    if (evidence > most) [best, most] = [begin, evidence];
  }
  return best;
}

/** Returns the first bucket of an outbreak, which includes errors shortly before it, if there were none before them. */
function firstOf(errors: readonly number[], sums: Sums, onset: number): number {
  const from = Math.max(MIN_BEFORE, onset - LEAD_BUCKETS);
  if (sums.errors[from] !== 0) return onset;
  const first = errors.slice(from, onset).findIndex((count) => count > 0);
  return first === -1 ? onset : from + first;
}
