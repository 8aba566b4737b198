import { expect, test } from 'vitest';
import { viewSource } from '../../../../../../test/support/ui/worker/view-source.ts';
import { conditionText } from '../../messages/condition.ts';
import { beginningText, followText, standingText } from '../../messages/standing.ts';
import type { SourceCondition, ViewSource } from '../../worker/protocol/protocol.ts';
import { FIRST_STATE } from './console-state.ts';
import { canFollow, canLinesCome, countGoneRuns, standingOf } from './standing.ts';

const run = (id: string, restarts: number, change: Partial<ViewSource> = {}) =>
  viewSource({ id, restarts, ...change });

test('runs before the one that a node keeps are gone, but those that the page saw', () => {
  expect(countGoneRuns([run('a', 0), run('b', 1)])).toBe(0);
  expect(countGoneRuns([run('a', 10)])).toBe(9);
  expect(countGoneRuns([run('a', 2), run('b', 4)])).toBe(1 + 3);
  const third = { kind: 'running', restarts: 3 } as const;
  expect(countGoneRuns([3, 1, 2].map((restarts) => run('a', restarts, { state: third })))).toBe(1);
  // Between two runs, the node has only the run that ended last.
  for (const kind of ['waiting', 'terminated'] as const) {
    const state = { kind, restarts: 13, reason: 'CrashLoopBackOff', mayRestart: true };
    expect(countGoneRuns([run('a', 13, { state })])).toBe(13);
  }
  // Only an earlier run of the container has lines in the range.
  expect(countGoneRuns([run('a', 2, { state: third })])).toBe(2);
  expect(countGoneRuns([run('a', 9, { isGone: true }), run('b', 9, { isRemoved: true })])).toBe(0);
});

test('the beginning of the logs says so', () => {
  expect(beginningText({ goneRuns: 0 })).toBe('Beginning of logs');
  expect(beginningText({ goneRuns: 0, lostBeginnings: 1 })).toBe(
    'Oldest lines on the node · the log of 1 container begins more than 10 min after the container started: earlier lines may be gone',
  );
  expect(beginningText({ goneRuns: 1 })).toBe(
    'Beginning of logs · 1 earlier run is gone: Kubernetes keeps one',
  );
  expect(beginningText({ goneRuns: 9 })).toBe(
    'Beginning of logs · 9 earlier runs are gone: Kubernetes keeps one',
  );
  expect(beginningText({ goneRuns: 1, lostBeginnings: 2 })).toBe(
    'Oldest lines on the node · the logs of 2 containers begin more than 10 min after the container started: earlier lines may be gone · 1 earlier run is gone: Kubernetes keeps one',
  );
  expect(beginningText({ goneRuns: 0, goneContainers: 1 })).toBe(
    'Oldest readable lines · 1 container that no longer exists may have earlier ones',
  );
  expect(beginningText({ goneRuns: 0 }, true)).toBe('Beginning of the range');
  expect(beginningText({ goneRuns: 2 }, true)).toBe(
    'Oldest lines of the range on the node · 2 earlier runs are gone: Kubernetes keeps one',
  );
});

const ended = (kind: 'between' | 'finished', exitCode?: number, reason?: string): SourceCondition => ({
  kind,
  reason,
  exitCode,
});

test('does not claim that nothing can come while a container runs, waits or may start again', () => {
  const status = { ...FIRST_STATE.status, connection: { state: 'live' } } as const;
  const standing = (...conditions: readonly SourceCondition[]) =>
    standingOf({ status, sources: conditions.map((condition, at) => run(`${at}`, 0, { condition })) });
  const waiting = { kind: 'waiting', reason: 'CrashLoopBackOff' } as const;
  for (const open of [{ kind: 'running' } as const, waiting, ended('between', 1)]) {
    const seen = standing(ended('finished', 0), open);
    expect(seen).toEqual({ kind: 'connected' });
    expect([canLinesCome(seen), followText(seen)]).toEqual([true, 'Following']);
  }
  // New pods may appear as long as the view is connected.
  const idle = standing(ended('finished', 0), ended('finished'));
  expect([canLinesCome(idle), followText(idle)]).toEqual([false, 'Waiting']);
  const pulling = standing({ kind: 'waiting', reason: 'ImagePullBackOff' }, ended('finished', 0));
  expect(pulling).toEqual({ kind: 'awaiting-start' });
  expect([canLinesCome(pulling), canFollow(pulling), followText(pulling)]).toEqual([false, true, 'Waiting']);
  const gone = standingOf({ status, sources: [run('a', 0, { isGone: true })] });
  expect(gone).toEqual({ kind: 'no-container' });
  expect([canLinesCome(gone), canFollow(gone), followText(gone)]).toEqual([false, true, 'Waiting']);
  const over = { ...status, connection: { state: 'ended' } } as const;
  const sources = [run('a', 0, { condition: ended('finished', 0) })];
  const seen = standingOf({ status: over, sources });
  expect([canFollow(seen), followText(seen)]).toEqual([false, 'Nothing to follow']);
});

test('an exit code that nobody reported is not shown', () => {
  expect(conditionText(ended('finished', 0, 'Completed'))).toBe('finished (exit 0)');
  expect(conditionText(ended('finished', undefined, 'Evicted'))).toBe('finished (Evicted)');
  expect(conditionText(ended('finished'))).toBe('finished');
  expect(conditionText(ended('between', 137, 'OOMKilled'))).toBe('ended (exit 137), may restart');
});

test('a container that does not answer and is left out of the view does not count', () => {
  const sources = [run('a', 0), run('b', 0, { condition: { kind: 'unanswered' } })];
  const status = { ...FIRST_STATE.status, connection: { state: 'live' } } as const;
  const unanswered = { ids: ['b'], node: undefined, sinceMs: 0 };
  expect(standingOf({ sources, status: { ...status, unanswered } })).toMatchObject({
    kind: 'partly',
    total: 2,
    unanswered: 1,
  });
  expect(standingOf({ sources, status })).toEqual({ kind: 'connected' });
});

test('a range with an end reports that its count has no answer', () => {
  const status = { ...FIRST_STATE.status, connection: { state: 'ended' } } as const;
  const scan = { state: 'reading', lines: 0, incomplete: 0, failedSources: 0 } as unknown as NonNullable<
    typeof FIRST_STATE.status.scan
  >;
  const of = (away?: 'cluster' | 'server') =>
    standingOf({ status: { ...status, scan: { ...scan, away } }, sources: [] }).kind;
  expect([of(), of('cluster'), of('server')]).toEqual(['ended', 'cluster-away', 'server-away']);
});

test('a cluster that refuses the credentials does answer', () => {
  const status = { ...FIRST_STATE.status, connection: { state: 'live' } } as const;
  const textOf = (...kinds: readonly ('refused' | 'away' | 'running')[]) => {
    const seen = standingOf({
      status,
      sources: kinds.map((kind, at) => run(`${at}`, 0, { condition: { kind } })),
    });
    return seen.kind === 'reconnecting' ? seen.kind : [standingText(seen), followText(seen)];
  };
  expect(textOf('refused', 'refused')).toEqual(['cluster refuses the credentials, retrying', 'Waiting']);
  expect(textOf('refused', 'away')).toEqual(['cluster not responding, retrying', 'Waiting']);
  expect(textOf('refused', 'running')).toEqual(['1 of 2 containers disconnected, retrying', 'Following']);
});
