import { expect, test } from 'vitest';
import { viewSource } from '../../../../../../test/support/ui/worker/view-source.ts';
import { RangeCounts } from './range-counts.ts';

const WHOLE = { followedToMs: undefined, endMs: undefined };
const source = (pod: string, index: number) => ({ ...viewSource({ pod }), id: pod, index });

/** One pass of a scan over these pods, of which some were not read to their end. */
function pass(counts: RangeCounts, pods: readonly string[], incomplete: readonly string[]): void {
  counts.positions(0);
  counts.take({ type: 'sources', q: 0, sources: pods.map(source) });
  counts.take({
    type: 'scanned',
    q: 0,
    bytes: 0,
    lines: 0,
    matches: 0,
    stopped: undefined,
    incomplete: [...incomplete],
    failed: [],
  });
}

test('an unread container that is gone in the next pass does not count as read', () => {
  const counts = new RangeCounts();
  pass(counts, ['a', 'b'], ['b']);
  expect(counts.incomplete).toEqual(['b']);
  pass(counts, ['a'], []);
  expect([...counts.sources.keys()]).toEqual(['a']);
  expect(counts.incomplete).toEqual([]);
});

test('a container with a read end stays counted when it is gone', () => {
  const counts = new RangeCounts();
  pass(counts, ['a', 'b'], []);
  pass(counts, ['a'], []);
  expect([...counts.sources.keys()]).toEqual(['a', 'b']);
  expect(counts.readToMsOf('b', WHOLE)).toBe(Number.POSITIVE_INFINITY);
});
