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

test('the distance is that of the whole table, for all short words of three letters', () => {
  const letters = ['a', 'b', 'c'];
  let typos = [''];
  for (let length = 0; length < 4; length++)
    typos = [...new Set(typos.flatMap((typo) => [typo, ...letters.map((letter) => typo + letter)]))];
  const wrong: string[] = [];
  for (const a of typos)
    for (const b of typos) {
      const whole = editDistance(a, b, 100) ?? 0;
      for (const furthest of [1, 2, 3])
        if (editDistance(a, b, furthest) !== (whole <= furthest ? whole : undefined)) wrong.push(`${a} ${b}`);
    }
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
