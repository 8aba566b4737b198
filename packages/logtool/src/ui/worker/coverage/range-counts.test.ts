import { describe, expect, test } from 'vitest';
import { viewSource } from '../../../../../../test/support/ui/worker/view-source.ts';
import type { ScanFrame } from '../../../contract/log-frame.ts';
import { ALL_TIME } from '../../../domain/coverage/coverage.ts';
import { RangeCounts } from './range-counts.ts';

type WireGap = Extract<ScanFrame, { readonly type: 'gap' }>;

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
  expect(counts.coverage(undefined, WHOLE).containers.get('b')?.read).toEqual(ALL_TIME);
});

describe('a gap', () => {
  const gap = {
    type: 'gap',
    q: 0,
    source: 0,
    cause: { code: 'previous-unreadable', data: { why: 'no' } },
  } as const;
  const read = (at: string) =>
    ({ type: 'coverage', q: 0, id: 'a', from: undefined, to: at, position: { at, shown: 1 } }) as const;

  /** A scan of one pod that finds a gap, and what is known of it when the next scan begins. */
  function gapsAfter(found: Partial<WireGap>, position?: string): RangeCounts['gaps'] {
    const counts = new RangeCounts();
    counts.positions(0);
    counts.take({ type: 'sources', q: 0, sources: [source('a', 0)] });
    counts.take({ ...gap, ...found });
    if (position !== undefined) counts.take(read(position));
    expect(counts.gaps).toHaveLength(1);
    counts.positions(0);
    return counts.gaps;
  }

  test('of a container that is read again from the beginning is found again, or it is none', () => {
    expect(gapsAfter({ to: '2027-01-15T08:03:00Z' })).toEqual([]);
  });

  test('after what was read is found again, or it is none', () => {
    expect(gapsAfter({ from: '2027-01-15T08:03:00Z' }, '2027-01-15T08:03:00Z')).toEqual([]);
  });

  test('before what was read stays', () => {
    expect(gapsAfter({ to: '2027-01-15T08:03:00Z' }, '2027-01-15T08:04:00Z')).toHaveLength(1);
    const inside = { from: '2027-01-15T08:02:00Z', to: '2027-01-15T08:03:00Z' };
    expect(gapsAfter(inside, '2027-01-15T08:04:00Z')).toHaveLength(1);
  });
});
