import { expect, test } from 'vitest';
import { columnOf, SOURCE_COLUMNS } from '../../domain/columns.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { makeRun } from '../../domain/record.ts';
import { SourceTable } from './source-table.ts';

const TARGET: ContainerTarget = {
  id: 'u/app',
  namespace: 'shop',
  pod: 'web-0',
  podUid: 'u',
  container: 'app',
  kind: 'regular',
  placement: { node: 'n', region: 'r', zone: 'z', os: 'linux', arch: 'arm64' },
  restartCount: 1,
  lastContainerId: 'old',
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
  state: { kind: 'running', containerId: 'new', startedAt: undefined },
};

test('the page gets of each run what the columns of a terminal show', () => {
  const table = new SourceTable();
  for (const id of ['old', 'new']) table.indexOf(makeRun(TARGET, id));
  // A column that this container has no value for would compare nothing.
  const unset = SOURCE_COLUMNS.filter((name) => columnOf(name).value(TARGET, 'new') === undefined);
  expect(unset).toEqual([]);
  const sources = table.takeChanged();
  expect(sources.map(({ run }) => run)).toEqual(['old', 'new']);
  for (const source of sources)
    for (const name of SOURCE_COLUMNS)
      expect(source[name], name).toBe(columnOf(name).value(TARGET, source.run));
});

test('a run keeps the columns that it had while it was current', () => {
  const table = new SourceTable();
  const target = { ...TARGET, lastContainerId: undefined };
  const zoned = (zone: string, id: string) => ({ ...target, placement: { zone }, state: running(id) });
  for (const each of [zoned('a', 'first'), zoned('b', 'first'), zoned('c', 'second')]) table.see(each);
  expect(table.takeChanged().map(({ run, zone }) => [run, zone])).toEqual([
    ['first', 'b'],
    ['second', 'c'],
  ]);
});

const statesOf = (table: SourceTable) =>
  table.takeChanged().map(({ run, restarts, state }) => ({ run, restarts, state }));
const running = (containerId: string) => ({ kind: 'running', containerId, startedAt: undefined }) as const;
const RUNNING = { kind: 'running', restarts: 1 };

test('every run says how its container stands now, whichever of them is read and when', () => {
  for (const runs of [['old'], ['new', 'old'], ['old', 'new']]) {
    const table = new SourceTable();
    table.see(TARGET);
    for (const run of runs) table.indexOf(makeRun(TARGET, run));
    expect(statesOf(table).sort((a, b) => a.restarts - b.restarts)).toEqual([
      { run: 'old', restarts: 0, state: RUNNING },
      { run: 'new', restarts: 1, state: RUNNING },
    ]);
  }
});

test('the run before the current one is listed as soon as the container is, unless its node has no log of it', () => {
  const runsOf = (state: ContainerTarget['state'], lastContainerId: string | undefined) => {
    const table = new SourceTable();
    table.see({ ...TARGET, restartCount: 2, state, lastContainerId });
    return table.takeChanged().map(({ run, restarts }) => [run, restarts]);
  };
  const ended = { kind: 'terminated', exitCode: 1, reason: 'Error', finishedAt: undefined } as const;
  expect(runsOf(running('new'), 'old')).toEqual([
    ['new', 2],
    ['old', 1],
  ]);
  expect(runsOf(running('new'), undefined)).toEqual([['new', 2]]);
  expect(runsOf({ ...ended, containerId: 'new' }, 'old')).toEqual([['new', 2]]);
  expect(runsOf({ kind: 'waiting', reason: 'CrashLoopBackOff', message: '' }, 'old')).toEqual([['old', 2]]);
});

test('a run keeps the restarts that were before it, however often its container restarts after it', () => {
  const table = new SourceTable();
  for (const [restartCount, id] of ['a', 'b', 'c', 'd'].entries())
    table.see({ ...TARGET, restartCount, state: running(id), lastContainerId: undefined });
  expect(statesOf(table).map(({ run, restarts }) => [run, restarts])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
});

test('a container that ended says whether it may be started again, and the exit code that was reported', () => {
  const ended = {
    kind: 'terminated',
    containerId: 'new',
    reason: '',
    exitCode: 0,
    finishedAt: undefined,
  } as const;
  const stateOf = (target: ContainerTarget) => {
    const table = new SourceTable();
    table.see(target);
    return statesOf(table)[0]?.state;
  };
  expect(stateOf({ ...TARGET, state: ended })).toEqual({
    kind: 'terminated',
    restarts: 1,
    exitCode: 0,
    mayRestart: true,
  });
  expect(
    stateOf({ ...TARGET, state: { ...ended, reason: 'Error', exitCode: 3 }, mayRestart: false }),
  ).toEqual({
    kind: 'terminated',
    restarts: 1,
    reason: 'Error',
    exitCode: 3,
    mayRestart: false,
  });
  const waiting = { kind: 'waiting', reason: 'CrashLoopBackOff', message: '' } as const;
  expect(stateOf({ ...TARGET, state: waiting })).toEqual({
    kind: 'waiting',
    restarts: 1,
    reason: 'CrashLoopBackOff',
  });
  // An evicted pod: its containers have no status, and none will start in it.
  const evicted = { kind: 'waiting', reason: 'Evicted', message: '' } as const;
  expect(stateOf({ ...TARGET, state: evicted, podPhase: 'Failed', mayRestart: false })).toEqual({
    kind: 'terminated',
    restarts: 1,
    reason: 'Evicted',
    mayRestart: false,
  });
});

test('what a reader still holds of a container does not undo what the resolver reported since', () => {
  const table = new SourceTable();
  const waiting = { ...TARGET, state: { kind: 'waiting', reason: 'CrashLoopBackOff', message: '' } } as const;
  const before = { ...TARGET, state: running('new') };
  const index = table.see(before);
  table.see({ ...waiting, lastContainerId: 'new' });
  expect(table.indexOfPresent(before)).toBe(index);
  expect(statesOf(table)).toMatchObject([
    { run: 'new', state: { kind: 'waiting' } },
    { run: 'old', state: { kind: 'waiting' } },
  ]);
  // A restart is a change.
  const next = { ...TARGET, restartCount: 2, state: running('next'), lastContainerId: 'new' };
  expect(table.indexOfPresent(next)).not.toBe(index);
  expect(statesOf(table)).toMatchObject([
    { run: 'new', restarts: 1, state: { kind: 'running', restarts: 2 } },
    { run: 'old', restarts: 0, state: { kind: 'running', restarts: 2 } },
    { run: 'next', restarts: 2, state: { kind: 'running', restarts: 2 } },
  ]);
});
