import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../../domain/container.ts';
import { COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import { LogCounts } from './log-counts.ts';

const bucket = (fromMs: number, lines: number) => ({
  fromMs,
  lines: COUNTED_LEVELS.map((level) => (level === 'info' ? lines : 0)),
  matches: COUNTED_LEVELS.map(() => 0),
});
/** Counts do not depend on the container. */
const TARGET = { id: 'uid/app' } as ContainerTarget;
const shown = (counts: LogCounts, maxRows = 100) =>
  counts.rows(maxRows).map(({ fromMs, lines }) => [fromMs, lines.reduce((sum, count) => sum + count, 0)]);

test('a range has a row for each bucket, also where nothing is', () => {
  const counts = new LogCounts({ from: { seconds: 10, nanos: 0 }, to: { seconds: 14, nanos: 0 } });
  counts.take({ type: 'counts', target: TARGET, bucketMs: 1000, buckets: [bucket(11_000, 3)] });
  expect(shown(counts)).toEqual([
    [10_000, 0],
    [11_000, 3],
    [12_000, 0],
    [13_000, 0],
  ]);
});

test('without a range the rows reach from the first record to the last', () => {
  const counts = new LogCounts({ from: undefined, to: undefined });
  expect(shown(counts)).toEqual([]);
  counts.take({
    type: 'counts',
    target: TARGET,
    bucketMs: 1000,
    buckets: [bucket(2000, 1), bucket(4000, 2)],
  });
  expect(shown(counts)).toEqual([
    [2000, 1],
    [3000, 0],
    [4000, 2],
  ]);
});

test('a bucket that comes again replaces what was known; another width replaces everything', () => {
  const counts = new LogCounts({ from: undefined, to: undefined });
  counts.take({ type: 'counts', target: TARGET, bucketMs: 1000, buckets: [bucket(2000, 1)] });
  counts.take({ type: 'counts', target: TARGET, bucketMs: 1000, buckets: [bucket(2000, 5)] });
  expect(shown(counts)).toEqual([[2000, 5]]);
  counts.take({ type: 'counts', target: TARGET, bucketMs: 5000, buckets: [bucket(0, 7)] });
  expect(shown(counts)).toEqual([[0, 7]]);
});

test('buckets of several containers are added', () => {
  const counts = new LogCounts({ from: undefined, to: undefined });
  counts.take({ type: 'counts', target: TARGET, bucketMs: 1000, buckets: [bucket(2000, 1)] });
  const other = { id: 'uid/other' } as ContainerTarget;
  counts.take({ type: 'counts', target: other, bucketMs: 1000, buckets: [bucket(2000, 5)] });
  expect(shown(counts)).toEqual([[2000, 6]]);
});

test('buckets are put together until they fit, and lose no record', () => {
  const counts = new LogCounts({ from: undefined, to: undefined });
  const many = Array.from({ length: 1000 }, (_, index) => bucket(index * 1000, index % 3));
  counts.take({ type: 'counts', target: TARGET, bucketMs: 1000, buckets: many });
  counts.widenTo(60);
  const rows = shown(counts);
  expect(counts.bucketMs).toBe(30_000);
  expect(rows).toHaveLength(34);
  expect(rows.reduce((sum, [, lines = 0]) => sum + lines, 0)).toBe(999);
});

test('only buckets that have a record are shown where all would be too many', () => {
  const counts = new LogCounts({ from: undefined, to: undefined });
  counts.take({
    type: 'counts',
    target: TARGET,
    bucketMs: 1000,
    buckets: [bucket(0, 1), bucket(10_000_000, 2)],
  });
  expect(shown(counts, 50)).toEqual([
    [0, 1],
    [10_000_000, 2],
  ]);
});
