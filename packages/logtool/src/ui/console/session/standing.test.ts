import { expect, test } from 'vitest';
import { beginningText } from '../../messages/standing.ts';
import type { ViewSource } from '../../worker/session/protocol.ts';
import { viewSource } from '../../worker/testing/view-source.ts';
import { countGoneRuns } from './standing.ts';

const run = (id: string, restarts: number, change: Partial<ViewSource> = {}) =>
  viewSource({ id, restarts, ...change });

test('runs before the one that a node keeps are gone, but those that the page saw', () => {
  expect(countGoneRuns([run('a', 0), run('b', 1)])).toBe(0);
  expect(countGoneRuns([run('a', 10)])).toBe(9);
  expect(countGoneRuns([run('a', 2), run('b', 4)])).toBe(1 + 3);
  expect(countGoneRuns([run('a', 1), run('a', 2), run('a', 3)])).toBe(1);
  expect(countGoneRuns([run('a', 9, { isGone: true }), run('b', 9, { isRemoved: true })])).toBe(0);
});

test('the beginning of the logs says so', () => {
  expect(beginningText(0)).toBe('Beginning of logs');
  expect(beginningText(1)).toBe('Beginning of logs · 1 earlier run is gone: Kubernetes keeps one');
  expect(beginningText(9)).toBe('Beginning of logs · 9 earlier runs are gone: Kubernetes keeps one');
});
