/** Fewer errors in two buckets are no change of rate. */
const MIN_ERRORS = 3;
/** Errors come this many times as often as before. */
const FACTOR = 4;

/** Buckets before an outbreak in which single errors belong to it. */
const LEAD_BUCKETS = 4;
/** And by so many standard deviations of a Poisson process more: a steady noise of errors is no outbreak. */
const DEVIATIONS = 6;

/**
 * Where errors begin: the first bucket, after at least one other, that has errors, four times as many as a bucket had
 * on average before, and with the next one at least three, four times as many as two buckets had before, and more than
 * chance explains; or a little earlier, where the first errors at all were. Looks no further than what was read from
 * the beginning on: `errors` of that part, by bucket of equal width. Undefined: nowhere in it.
 */
export function findErrorOnset(errors: readonly number[]): number | undefined {
  let before = errors[0] ?? 0;
  for (let bucket = 1; bucket < errors.length; bucket++) {
    const own = errors[bucket] ?? 0;
    const two = own + (errors[bucket + 1] ?? 0);
    const usual = before / bucket;
    if (own > 0 && own >= FACTOR * usual && two >= leastOutbreak(before, bucket))
      return firstOf(errors, bucket, before);
    before += own;
  }
  return undefined;
}

/** Buckets that are judged as one: in narrow ones a slow outbreak has no more errors than chance explains. */
const JOINED_BUCKETS = 8;

/**
 * The same of narrow buckets: where errors begin in wide ones, and in those the first narrow one that stands out from
 * what was before; without errors before, the first that has any.
 */
export function findNarrowOnset(errors: readonly number[]): number | undefined {
  const wide = Array.from({ length: Math.ceil(errors.length / JOINED_BUCKETS) }, (_, index) =>
    sum(errors.slice(index * JOINED_BUCKETS, (index + 1) * JOINED_BUCKETS)),
  );
  const onset = findErrorOnset(wide);
  if (onset === undefined) return undefined;
  const first = onset * JOINED_BUCKETS;
  const before = sum(errors.slice(0, first));
  const own = errors.slice(first, first + JOINED_BUCKETS + 1);
  const isRisen = (count: number, index: number) =>
    count > (FACTOR * before) / first && count + (own[index + 1] ?? 0) >= leastOutbreak(before, first);
  const risen = before === 0 ? -1 : own.findIndex(isRisen);
  return first + (risen === -1 ? own.findIndex((count) => count > 0) : risen);
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/** An outbreak begins with the errors shortly before it, if there was none before them. */
function firstOf(errors: readonly number[], onset: number, before: number): number {
  const lead = errors.slice(Math.max(1, onset - LEAD_BUCKETS), onset);
  const isFirst = sum(lead) === before;
  const first = lead.findIndex((own) => own > 0);
  return isFirst && first !== -1 ? onset - lead.length + first : onset;
}

/** Errors in two buckets that are more than before. One error is added: few buckets without any prove little. */
function leastOutbreak(before: number, buckets: number): number {
  const likely = (2 * (before + 1)) / buckets;
  return Math.max(MIN_ERRORS, (FACTOR * 2 * before) / buckets, likely + DEVIATIONS * Math.sqrt(likely));
}
