import { expect, test } from 'vitest';
import { StampIndex } from './stamp-index.ts';

const at = (seconds: number) => ({ seconds, nanos: 999_999_999 });

test('knows the times that were noted, of each file its own', () => {
  const index = new StampIndex();
  index.set('a', 0, at(1));
  index.set('a', 4095, at(2));
  index.set('b', 0, at(-3));
  expect([index.get('a', 0), index.get('a', 4095), index.get('b', 0)]).toEqual([at(1), at(2), at(-3)]);
  expect([index.get('a', 1), index.get('a', 5000), index.get('b', 4095), index.get('c', 0)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('never takes more than it may, and forgets the files that were used least recently', () => {
  const index = new StampIndex(256, 10_000);
  for (let file = 0; file < 100; file++) {
    index.set(`file ${file}`, 0, at(file));
    expect(index.get('file 0', 0)).toEqual(at(0));
    expect(index.bytes).toBeLessThanOrEqual(10_000);
  }
  expect(index.get('file 99', 0)).toEqual(at(99));
  expect(index.get('file 1', 0)).toBeUndefined();
});

test('grows with a file within its limit, and notes nothing of a larger one', () => {
  const index = new StampIndex(256, 10_000);
  for (let block = 0; block < 2_000; block++) index.set('large', block, at(block));
  expect(index.bytes).toBeLessThanOrEqual(10_000);
  expect([index.get('large', 500), index.get('large', 1_999)]).toEqual([at(500), undefined]);
});
