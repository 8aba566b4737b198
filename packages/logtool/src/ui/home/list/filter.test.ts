import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import type { WorkloadKind } from '../../../contract/workload.ts';
import { countWorkloads, filterWorkloads } from './filter.ts';

const web = makeWorkload({ name: 'web' });
const webPod = makeWorkload({ name: 'web-6b54d-kmr5q', kind: 'pods', ownerId: web.id });
const lonePod = makeWorkload({ name: 'debug', kind: 'pods' });
const db = makeWorkload({ name: 'db', kind: 'statefulsets', namespace: 'data' });
const all = [web, webPod, lonePod, db];
const filter = (options: Partial<Parameters<typeof filterWorkloads>[1]>) => ({
  ns: [],
  kind: undefined,
  q: '',
  ...options,
});
const names = (options: Partial<Parameters<typeof filterWorkloads>[1]>) =>
  filterWorkloads(all, filter(options)).map(({ name }) => name);

test('the list without a kind has workloads, and pods on their own', () => {
  expect(names({})).toEqual(['web', 'debug', 'db']);
});

test('a kind shows all of it, pods of workloads included', () => {
  expect(names({ kind: 'pods' })).toEqual(['web-6b54d-kmr5q', 'debug']);
});

test('namespaces narrow the list to any of them', () => {
  expect(names({ ns: ['data'] })).toEqual(['db']);
  expect(names({ ns: ['data', 'shop'] })).toEqual(['web', 'debug', 'db']);
});

test('a search that names a workload shows it without its pods; one that names only a pod shows the pod', () => {
  expect(names({ q: 'web' })).toEqual(['web']);
  expect(names({ q: 'kmr5q' })).toEqual(['web-6b54d-kmr5q']);
});

test('counts of kinds are those of the chosen namespaces, counts of namespaces those of the chosen kind', () => {
  const counts = countWorkloads(all, filter({ ns: ['shop'], kind: 'statefulsets' }));
  expect([counts.all, counts.total]).toEqual([2, 3]);
  expect(counts.kinds).toMatchObject({ deployments: 1, pods: 2, statefulsets: 0 });
  expect([...counts.namespaces]).toEqual([['data', 1]]);
});

test('without a kind a namespace counts what its list would show', () => {
  expect([...countWorkloads(all, filter({})).namespaces]).toEqual([
    ['shop', 2],
    ['data', 1],
  ]);
});

test('counts a kind of a newer server under its own name, and leaves the counts of known kinds as they are', () => {
  const newer = { ...makeWorkload({ name: 'train' }), kind: 'jobsets' as WorkloadKind };
  const counts = countWorkloads([...all, newer, newer], filter({}));
  expect([...counts.newerKinds]).toEqual([['jobsets', 2]]);
  expect(counts.kinds).toEqual(countWorkloads(all, filter({})).kinds);
  expect(counts.all).toBe(5);
});
