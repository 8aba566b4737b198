import { expect, test } from 'vitest';
import { viewSource } from '../../../../../test/support/ui/worker/view-source.ts';
import type { ViewSource } from '../worker/protocol/protocol.ts';
import { groupContainers, namedIn } from './container-groups.ts';

const source = (pod: string, over: Partial<ViewSource> = {}) =>
  viewSource({ id: `${pod}/app`, pod, ...over });

test('runs of a container are one entry of the latest of them, in whatever order they came', () => {
  const [group] = groupContainers(
    [
      source('web-1-aaaaa', { order: 'web-1-aaaaa/app/b', run: 'b', restarts: 3, hue: 2 }),
      source('web-1-aaaaa', {
        order: 'web-1-aaaaa/app/a',
        restarts: 2,
        isNew: true,
        state: { kind: 'running', restarts: 3 },
      }),
    ],
    ['shop:deployments/web'],
  );
  expect(group?.title).toBe('web');
  expect(group?.containers).toEqual([
    {
      id: 'web-1-aaaaa/app',
      label: '…aaaaa/app',
      name: 'shop/web-1-aaaaa/app',
      hue: 2,
      restarts: 3,
      isNew: false,
      isGone: false,
      condition: { kind: 'running' },
      runs: [
        { order: 'web-1-aaaaa/app/b', name: 'run 4 (now)' },
        { order: 'web-1-aaaaa/app/a', name: 'run 3' },
      ],
    },
  ]);
});

test('groups follow the arguments; a container of two is in the first; removed ones come last', () => {
  const groups = groupContainers(
    [
      source('db-0', { arguments: ['shop:statefulsets/db', 'shop:pods'] }),
      source('web-1-zzzzz'),
      source('web-1-aaaaa', { isGone: true }),
    ],
    ['shop:deployments/web', 'shop:statefulsets/db', 'shop:pods'],
  );
  expect(groups.map(({ title, containers }) => [title, containers.map(({ label }) => label)])).toEqual([
    ['web', ['…zzzzz/app', '…aaaaa/app']],
    ['db', ['db-0/app']],
  ]);
});

test('the workloads that a pattern means are groups of their own, with the containers that are not shown', () => {
  const argument = 'shop:deployments/*';
  const of = (pod: string, name: string, over: Partial<ViewSource> = {}) =>
    source(pod, { arguments: [argument], workload: { ownerKind: 'ReplicaSet', name }, ...over });
  const groups = groupContainers(
    [
      of('web-10-1-aaaaa', 'web-10'),
      of('web-2-1-aaaaa', 'web-2', { podContainers: ['app', 'proxy', 'metrics'] }),
      of('web-2-1-bbbbb', 'web-2', { podContainers: ['app', 'proxy'] }),
    ],
    [argument],
  );
  expect(groups.map(({ title, containers, others }) => [title, containers.length, others])).toEqual([
    ['web-2', 2, ['metrics', 'proxy']],
    ['web-10', 1, []],
  ]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(2);
  // Containers that another argument shows are not listed.
  const [shown] = groupContainers(
    [
      of('web-2-1-aaaaa', 'web-2', { podContainers: ['app', 'proxy'] }),
      of('web-2-1-aaaaa', 'web-2', { id: 'web-2-1-aaaaa/proxy', container: 'proxy' }),
    ],
    [argument],
  );
  expect(shown?.others).toEqual([]);
});

test('a name finds containers of a group that are shown, and those that are not', () => {
  const [group] = groupContainers(
    [source('web-1-aaaaa', { podContainers: ['app', 'metrics'] })],
    ['shop:deployments/web'],
  );
  const found = (wanted: string) => {
    const { containers, others } = namedIn(group!, wanted);
    return [containers.map(({ name }) => name), others];
  };
  expect(found('metri')).toEqual([[], ['metrics']]);
  expect(found('aaa')).toEqual([['shop/web-1-aaaaa/app'], []]);
  expect(found('web')).toEqual([['shop/web-1-aaaaa/app'], ['metrics']]);
  expect(found('nothing')).toEqual([[], []]);
});

test('a run is the present one only where its container runs, and in its latest run', () => {
  const runsOf = (sources: readonly ViewSource[]) =>
    groupContainers(sources, [])[0]?.containers[0]?.runs.map(({ name }) => name);
  const RUNNING = { kind: 'running', restarts: 4 } as const;
  const earlier = source('web-0', { order: 'a', restarts: 3, state: RUNNING });
  const latest = source('web-0', { order: 'b', restarts: 4, state: RUNNING });
  expect(runsOf([latest, earlier])).toEqual(['run 5 (now)', 'run 4']);
  // A range may contain only lines of an earlier run.
  expect(runsOf([earlier])).toEqual(['run 4']);
  const waiting = { kind: 'waiting', restarts: 4, reason: 'CrashLoopBackOff' } as const;
  expect(runsOf([{ ...latest, state: waiting }])).toEqual(['run 5']);
});

test('the one workload of a pattern names its group', () => {
  const argument = 'shop:deployments/*';
  const [group] = groupContainers(
    [source('web-1-aaaaa', { arguments: [argument], workload: { ownerKind: 'ReplicaSet', name: 'web' } })],
    [argument],
  );
  expect(group?.title).toBe('web');
});

test('groups of one name in two namespaces have the namespaces in their titles', () => {
  const args = ['shop:pods/same', 'other:pods/same', 'shop:deployments/web'];
  const groups = groupContainers(
    [
      source('same', { id: '1/app', arguments: ['shop:pods/same'] }),
      source('same', { id: '2/app', arguments: ['other:pods/same'], namespace: 'other' }),
      source('web-1-aaaaa'),
    ],
    args,
  );
  expect(groups.map(({ title }) => title)).toEqual(['shop/same', 'other/same', 'web']);
});
