import { expect, test } from 'vitest';
import { COLUMN_NAMES, columnOf, DEFAULT_COLUMNS, NODE_COLUMNS, parseColumn } from './columns.ts';
import type { ContainerTarget } from './container.ts';

const TARGET: ContainerTarget = {
  id: 'u/app',
  namespace: 'shop',
  pod: 'web-0',
  podUid: 'u',
  container: 'app',
  kind: 'regular',
  placement: {},
  restartCount: 0,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Pending',
  deleting: false,
  state: { kind: 'waiting', reason: '', message: '' },
};

test('the allowed columns and the default ones are those of the specification', () => {
  expect(COLUMN_NAMES.join(' ')).toBe('timestamp dot node region zone os arch namespace pod container');
  expect(DEFAULT_COLUMNS).toEqual(['timestamp', 'dot']);
});

test('a column is found in any letter case', () => {
  expect(parseColumn(' Pod')).toBe('pod');
  expect(parseColumn('TIMESTAMP')).toBe('timestamp');
});

test('other names are no columns', () => {
  for (const name of ['', 'message', 'pods', '__proto__', 'constructor'])
    expect(parseColumn(name)).toBeUndefined();
});

test('columns of nodes are those of the labels, and each column of a container has its value', () => {
  expect(NODE_COLUMNS).toEqual(['region', 'zone', 'os', 'arch']);
  const placement = { node: 'n', region: 'r', zone: 'z', os: 'linux', arch: 'arm64' };
  const target = { ...TARGET, placement };
  expect(COLUMN_NAMES.map((name) => columnOf(name).value(target, 'c1'))).toEqual([
    undefined,
    undefined,
    'n',
    'r',
    'z',
    'linux',
    'arm64',
    'shop',
    'web-0',
    'app',
  ]);
});
