import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findErrorOnset } from './error-onset.ts';

/** Splits each count over eight buckets, the first ones getting more. */
const spread = (counts: readonly number[]) =>
  counts.flatMap((count) => Array.from({ length: 8 }, (_, at) => Math.ceil((count - at) / 8)));

test.each([
  ['no errors', [0, 0, 0, 0], undefined],
  ['errors from the first bucket on', [9, 9, 9, 9], undefined],
  ['an outbreak after silence', [0, 0, 0, 5, 9], 3],
  ['a single error before the outbreak', [0, 1, 0, 0, 0, 0, 0, 0, 2, 7], 8],
  ['an outbreak that begins at the end of a bucket', [0, 0, 1, 8], 2],
  ['a noise of errors that stays the same', [2, 1, 2, 2, 1, 3, 2], undefined],
  ['an outbreak over a noise of errors', [2, 1, 2, 2, 1, 30, 40], 5],
  ['nothing', [], undefined],
] as const)('%s', (_, counts, onset) => {
  const found = findErrorOnset(spread(counts));
  expect(found === undefined ? undefined : Math.floor(found / 8)).toBe(onset);
});

/** Returns a generator of evenly distributed numbers in [0, 1), the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a random number of a Poisson distribution (Knuth's algorithm). */
function chance(random: () => number, mean: number): number {
  let [count, product] = [0, random()];
  while (product > Math.exp(-mean)) {
    count++;
    product *= random();
  }
  return count;
}

/** Returns a random number of errors in random bunches of random sizes. */
function bunches(random: () => number, mean: number, size: number): number {
  let count = 0;
  for (let left = chance(random, mean / size); left > 0; left--) count += 1 + chance(random, size - 1);
  return count;
}

/**
 * Simulates a service that writes an error about each second, and from a given second on `more` others in each; by
 * bucket.
 */
function jittered(random: () => number, onsetS: number, more: number, widthS: number): readonly number[] {
  const counts = Array.from({ length: Math.ceil(SECONDS / widthS) }, () => 0);
  const write = (atS: number) => {
    const bucket = Math.floor(atS / widthS);
    if (bucket >= 0 && bucket < counts.length) counts[bucket]! += 1;
  };
  for (let second = 0; second < SECONDS; second++) {
    write(second + 0.9 * random());
    if (second >= onsetS) for (let error = 0; error < more; error++) write(second + random());
  }
  return counts;
}
const SECONDS = 900;

test.each([
  [1, 2],
  [1, 4],
  [1, 20],
  [5, 2],
  [5, 3],
  [5, 20],
])(
  'over an error each second, in buckets of %i s, %i more in a second are seen where they begin',
  (widthS, more) => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed);
      const onsetS = 60 + Math.floor(700 * random());
      const found = findErrorOnset(jittered(random, onsetS, more, widthS));
      const awayS = (found ?? Number.NaN) * widthS - Math.floor(onsetS / widthS) * widthS;
      expect(Math.abs(awayS), `seed ${seed}: ${awayS} s away`).toBeLessThanOrEqual(more < 3 ? 10 : widthS);
      expect(findErrorOnset(jittered(random, SECONDS, 0, widthS))).toBeUndefined();
    }
  },
);

test.each([0.02, 0.2, 1, 5, 20])('%d errors a bucket by mere chance are no outbreak', (mean) => {
  const onsets = Array.from({ length: 200 }, (_, seed) => {
    const random = randomOf(1_000 + seed);
    return findErrorOnset(Array.from({ length: 700 }, () => chance(random, mean)));
  });
  expect(onsets.filter((onset) => onset !== undefined).length).toBeLessThanOrEqual(3);
});

test.each([
  [1, 5],
  [5, 5],
  [20, 20],
])('%d errors a bucket in bunches of %i are no outbreak, after the first bunch', (mean, size) => {
  const found = Array.from({ length: 200 }, (_, seed) => {
    const random = randomOf(2_000 + seed);
    const errors = Array.from({ length: 700 }, () => bunches(random, mean, size));
    const onset = findErrorOnset(errors);
    return onset !== undefined && errors.slice(0, onset).some((count) => count > 0);
  });
  expect(found.filter(Boolean).length).toBeLessThanOrEqual(3);
});

test('bursts that a service has every minute are no outbreak, and one over them is seen', () => {
  const bursts = Array.from({ length: 600 }, (_, at) => (at % 12 === 0 ? 20 : 1));
  expect(findErrorOnset(bursts)).toBeUndefined();
  expect(findErrorOnset(bursts.map((count, at) => count + (at >= 407 ? 30 : 0)))).toBe(407);
});

test('a slow rise is seen in its first third', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed);
    const rising = Array.from({ length: 600 }, (_, at) =>
      chance(random, Math.min(50, 5 + Math.max(0, at - 300) * (45 / 120))),
    );
    const onset = findErrorOnset(rising) ?? Number.NaN;
    expect(onset, `seed ${seed}`).toBeGreaterThanOrEqual(290);
    expect(onset, `seed ${seed}`).toBeLessThanOrEqual(340);
  }
});

test('a slow outbreak is found by its first errors', () => {
  const slow = Array.from({ length: 100 }, (_, bucket) => (bucket >= 50 && bucket % 2 === 0 ? 1 : 0));
  expect(findErrorOnset(slow)).toBe(50);
  const noise = slow.map((_, bucket) => Number(bucket % 5 === 2));
  expect(findErrorOnset(noise)).toBeUndefined();
  expect(findErrorOnset(noise.map((errors, bucket) => errors + (bucket >= 71 ? 9 : 0)))).toBe(71);
});

const COUNTS = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });

test('from an onset on errors come at least twice as often as before it, for some time', () => {
  fc.assert(
    fc.property(COUNTS, COUNTS, (before, after) => {
      const errors = [...before.map((count) => count % 3), ...after];
      const onset = findErrorOnset(errors);
      if (onset === undefined) return;
      const rateOf = (counts: readonly number[]) =>
        counts.reduce((sum, count) => sum + count, 0) / counts.length;
      const usual = rateOf(errors.slice(0, onset));
      expect(errors[onset]).toBeGreaterThan(0);
      expect(errors.some((_, end) => end >= onset && rateOf(errors.slice(onset, end + 1)) >= 2 * usual)).toBe(
        true,
      );
    }),
  );
});

test('what comes after an onset never moves it', () => {
  fc.assert(
    fc.property(COUNTS, COUNTS, (errors, later) => {
      const onset = findErrorOnset(errors);
      if (onset !== undefined) expect(findErrorOnset([...errors, ...later])).toBe(onset);
    }),
  );
});
