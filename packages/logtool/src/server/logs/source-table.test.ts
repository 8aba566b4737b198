import { expect, test } from 'vitest';
import { COLUMN_NAMES, columnOf } from '../../domain/columns.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { makeSource } from '../../domain/record.ts';
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
  for (const id of ['old', 'new']) table.indexOf(makeSource(TARGET, id));
  const names = COLUMN_NAMES.filter((name) => columnOf(name).from !== 'record');
  const sources = table.takeChanged();
  expect(sources.map(({ run }) => run)).toEqual(['old', 'new']);
  for (const source of sources)
    for (const name of names) {
      expect(Reflect.get(source, name), name).toBe(columnOf(name).value(TARGET, source.run));
    }
});
