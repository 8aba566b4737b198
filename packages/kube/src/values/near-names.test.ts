import { expect, test } from 'vitest';
import { editDistance, nearNames } from './near-names.ts';

test.each([
  ['', '', 0],
  ['web', 'web', 0],
  ['web', 'wbe', 1],
  ['web', 'wed', 1],
  ['web', 'webs', 1],
  ['kitten', 'sitting', 3],
])('the distance from %j to %j is %i', (a, b, distance) => {
  expect(editDistance(a, b, 3)).toBe(distance);
});

test('beyond the furthest there is no distance', () => {
  expect(editDistance('web', 'database', 3)).toBeUndefined();
  expect(editDistance('abcd', 'wxyz', 3)).toBeUndefined();
});

/** Returns all texts of at most this length. */
function textsOf(letters: readonly string[], length: number): readonly string[] {
  if (length === 0) return [''];
  const shorter = textsOf(letters, length - 1);
  return [...new Set(shorter.flatMap((text) => [text, ...letters.map((letter) => text + letter)]))];
}

/** Whether the distance within each limit is that of the whole table. */
function isExact(a: string, b: string): boolean {
  const whole = editDistance(a, b, 100) ?? 0;
  return [1, 2, 3].every(
    (furthest) => editDistance(a, b, furthest) === (whole <= furthest ? whole : undefined),
  );
}

test('the distance is that of the whole table, for all short words of three letters', () => {
  const texts = textsOf(['a', 'b', 'c'], 4);
  expect(texts).toHaveLength(1 + 3 + 9 + 27 + 81);
  const wrong = texts.flatMap((a) => texts.filter((b) => !isExact(a, b)).map((b) => `${a} ${b}`));
  expect(wrong).toEqual([]);
});

test('the nearest name comes first, then names that begin with the word', () => {
  expect(nearNames('wbe', ['db', 'web', 'cache'])).toEqual(['web']);
  expect(nearNames('web', ['web-7d9f', 'wed', 'db'])).toEqual(['wed', 'web-7d9f']);
});

test('names that have nothing in common are not suggested', () => {
  expect(nearNames('checkout', ['db-0', 'cache-1'])).toEqual([]);
});

test('no more names than asked for', () => {
  expect(nearNames('web', ['web1', 'web2', 'web3', 'web4'], 2)).toEqual(['web1', 'web2']);
});
