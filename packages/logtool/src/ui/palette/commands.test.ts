import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../test/support/ui/home/make-workload.ts';
import { findCommands } from './commands.ts';

const workloads = [
  makeWorkload({ name: 'cobweb' }),
  makeWorkload({ name: 'web', id: 'w' }),
  makeWorkload({ name: 'web-1', kind: 'pods', ownerId: 'w' }),
  makeWorkload({ name: 'webhook' }),
];
const sources: Parameters<typeof findCommands>[1] = {
  context: 'prod',
  workloads,
  views: [{ name: 'my web', href: '/console?x', atMs: 0 }],
  contexts: { revision: 1, contexts: [] },
  actions: [{ id: 'a', group: 'Actions', name: 'Show the keys', note: '', does: { run: () => undefined } }],
};
const names = (query: string) => findCommands(query, sources).map(({ name }) => name);

test('what has the name comes first, then what begins with it, then the rest, then pods', () => {
  expect(names('web')).toEqual(['web', 'webhook', 'cobweb', 'web-1', 'my web']);
});

test('without a query there are views and actions, places before what is done, not the whole cluster', () => {
  expect(names('')).toEqual(['my web', 'Show the keys']);
});

test('a workload leads to its logs', () => {
  expect(findCommands('webhook', sources)[0]?.does).toEqual({
    go: '/console?ctx=prod&src=shop:deployments/webhook',
  });
});

test('nothing is found by a name that nothing has', () => {
  expect(names('zzz')).toEqual([]);
});

test('a source that is typed whole leads to its logs, listed or not', () => {
  const typed = (query: string) =>
    findCommands(query, { ...sources, workloads: [] }).filter(({ id }) => id === 'typed');
  expect(typed('data:postgres-0')).toMatchObject([
    { name: 'data:postgres-0', does: { go: '/console?ctx=prod&src=data:postgres-0' } },
  ]);
  expect(typed('deploy/web')).toHaveLength(1);
  for (const query of ['postgres', 'data:', 'a b:c', 'data:Post Gres', 'x/'])
    expect(typed(query)).toEqual([]);
});
