import { expect, test } from 'vitest';
import { WORKLOAD_KINDS } from '../../../contract/workload-kinds.ts';
import { groupScopes, isUncounted, scopesOf } from './denied-scopes.ts';

const denial = (namespace: string | undefined, resource: string) => ({
  namespace,
  error: {
    code: 'forbidden',
    data: { right: { verb: 'list', resource } },
    denied: { verb: 'list', resource, namespace, check: `kubectl auth can-i list ${resource}` },
  },
});

test('reports denials by namespace, and how much each hides', () => {
  const scopes = scopesOf([
    denial('shop', 'pods'),
    denial('data', 'events'),
    denial('shop', 'cronjobs.batch'),
    ...WORKLOAD_KINDS.map((kind) => denial('ops', kind === 'pods' ? kind : `${kind}.apps`)),
  ]);
  expect(scopes.map(({ namespace, hides, errors }) => [namespace, hides, errors.length])).toEqual([
    ['shop', 'some', 2],
    ['data', 'events', 1],
    ['ops', 'all', 7],
  ]);
});

test('namespaces with the same denials are one message', () => {
  const all = (namespace: string) =>
    [...WORKLOAD_KINDS, 'events'].map((kind) => denial(namespace, kind === 'pods' ? kind : `${kind}.apps`));
  const groups = groupScopes(
    scopesOf([
      ...all('data'),
      denial('shop', 'jobs.batch'),
      denial('shop', 'events'),
      ...all('ops'),
      denial(undefined, 'jobs.batch'),
    ]),
  );
  expect(
    groups.map(({ namespaces, hides, right, checks }) => [namespaces, hides, right, checks.length]),
  ).toEqual([
    [['data', 'ops'], 'all', 'list pods', 2],
    [['shop'], 'some', 'list jobs, events', 2],
    [[], 'some', 'list jobs', 1],
  ]);
});

test('an empty list is a count only if nothing but events was denied', () => {
  const workloads = new Map();
  expect(isUncounted({ workloads, denied: [denial(undefined, 'pods')] })).toBe(true);
  expect(isUncounted({ workloads, denied: [denial('shop', 'events')] })).toBe(false);
  expect(isUncounted({ workloads, denied: [] })).toBe(false);
});
