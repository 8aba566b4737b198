import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findErrorOnset, findNarrowOnset } from './error-onset.ts';

test.each([
  ['no errors', [0, 0, 0, 0], undefined],
  ['errors from the first bucket on', [9, 9, 9, 9], undefined],
  ['an outbreak after silence', [0, 0, 0, 5, 9], 3],
  ['a single error before the outbreak', [0, 1, 0, 0, 0, 0, 0, 0, 2, 7], 8],
  ['an outbreak that begins at the end of a bucket', [0, 0, 1, 8], 2],
  ['a noise of errors that stays the same', [2, 1, 2, 2, 1, 3, 2], undefined],
  ['an outbreak over a noise of errors', [2, 1, 2, 2, 1, 30, 40], 5],
  ['nothing', [], undefined],
] as const)('%s', (_, errors, onset) => expect(findErrorOnset(errors)).toBe(onset));

test('a steady noise of errors is hardly ever an outbreak', () => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  /** One error in a bucket on average (Knuth's algorithm for a Poisson process). */
  const errorsInBucket = () => {
    let [errors, product] = [0, random()];
    while (product > Math.exp(-1)) {
      errors++;
      product *= random();
    }
    return errors;
  };
  const found = Array.from({ length: 300 }, () =>
    findErrorOnset(Array.from({ length: 700 }, errorsInBucket)),
  ).filter((onset) => onset !== undefined);
  expect(found.length).toBeLessThanOrEqual(9);
});

test('a slow outbreak is found in narrow buckets', () => {
  const slow = Array.from({ length: 100 }, (_, bucket) => (bucket >= 50 && bucket % 2 === 0 ? 1 : 0));
  expect(findNarrowOnset(slow)).toBe(50);
  const noise = slow.map((_, bucket) => Number(bucket % 5 === 2));
  expect(findNarrowOnset(noise)).toBeUndefined();
  expect(findNarrowOnset(noise.map((errors, bucket) => errors + (bucket >= 71 ? 9 : 0)))).toBe(71);
});

test('what comes after an onset never moves it', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });
  fc.assert(
    fc.property(counts, counts, (errors, later) => {
      const onset = findErrorOnset(errors);
      // The last bucket is judged with the one after it.
      if (onset !== undefined && onset < errors.length - 1)
        expect(findErrorOnset([...errors, ...later])).toBe(onset);
    }),
  );
});
