import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import type { WireContainerState } from '../../../contract/log-source.ts';
import { SourceTable } from './source-table.ts';

test('a container whose run becomes known stays one source; its next run is another', () => {
  const table = new SourceTable();
  const at = (run: string) => ({ ...sourceOf('web/a', 0), run, order: `web/a/${run}` });
  const first = table.take(at(''), false);
  expect(table.take(at('run-1'), false)).toBe(first);
  expect(table.take(at('run-2'), false)).not.toBe(first);
  expect(table.take(at('run-1'), false)).toBe(first);
});

const runOf = (run: string, restarts: number, state: WireContainerState) => ({
  ...sourceOf('web/a', 0),
  run,
  order: `web/a/${run}`,
  restarts,
  state,
});
const statesOf = (table: SourceTable) =>
  table
    .list(
      () => true,
      () => ({ kind: 'running' }),
    )
    .map(({ run, state }) => [run, state.kind]);
const RUNNING = { kind: 'running', restarts: 1 } as const;
const ENDED = { kind: 'terminated', restarts: 1, mayRestart: true, exitCode: 1 } as const;

test('runs of a container stand as it does, in whatever order they come', () => {
  const table = new SourceTable();
  table.take(runOf('b', 1, RUNNING), false);
  // An earlier run of the container, from another read than the stream.
  table.takeRead(runOf('a', 0, RUNNING), false);
  expect(statesOf(table)).toEqual([
    ['b', 'running'],
    ['a', 'running'],
  ]);
  table.take(runOf('b', 1, ENDED), false);
  expect(statesOf(table)).toEqual([
    ['b', 'terminated'],
    ['a', 'terminated'],
  ]);
});

test('what began to be read earlier does not undo what the stream reported since', () => {
  const table = new SourceTable();
  const index = table.take(runOf('b', 1, ENDED), false);
  table.takeRead(runOf('b', 1, RUNNING), false);
  table.takeRead(runOf('a', 0, { kind: 'running', restarts: 0 }), false);
  expect(statesOf(table)).toEqual([
    ['b', 'terminated'],
    ['a', 'terminated'],
  ]);
  // Such a read does not bring back a container that left.
  table.setGone(index, true);
  table.takeRead(runOf('c', 2, { kind: 'running', restarts: 2 }), false);
  expect(table.all.map(({ owner }) => owner.isGone)).toEqual([true, true, true]);
  expect(table.latestRuns()).toEqual([]);
  // The container has restarted since.
  table.setGone(index, false);
  expect(statesOf(table).map(([, kind]) => kind)).toEqual(['running', 'running', 'running']);
});

test('the latest run of a container is the one with the most restarts before it', () => {
  const table = new SourceTable();
  for (const restarts of [1, 2, 0]) table.takeRead(runOf(`run-${restarts}`, restarts, RUNNING), false);
  expect(table.latestRuns().map(({ wire }) => wire.run)).toEqual(['run-2']);
});
