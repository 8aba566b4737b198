import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { parseSource } from '../../../domain/source-syntax.ts';
import { isNoPod, suggest } from './source-suggestions.tsx';

const DB = makeWorkload({ name: 'orders-db', kind: 'statefulsets', containers: ['postgres', 'metrics'] });
const METRICS = makeWorkload({ name: 'metrics', containers: ['app'] });

test('a piece of a name finds workloads, then containers', () => {
  expect(suggest([DB, METRICS], [], 'metr').sources).toEqual([
    'shop:deployments/metrics',
    'shop:statefulsets/orders-db/metrics',
  ]);
  expect(suggest([DB, METRICS], [], 'orders').sources).toEqual([
    'shop:statefulsets/orders-db',
    'shop:statefulsets/orders-db/metrics',
    'shop:statefulsets/orders-db/postgres',
  ]);
  expect(suggest([DB, METRICS], [], 'deployments/metrics/').sources).toEqual([
    'shop:deployments/metrics/app',
  ]);
  expect(suggest([DB, METRICS], [], 'orders-db/').sources).toEqual([
    'shop:statefulsets/orders-db/metrics',
    'shop:statefulsets/orders-db/postgres',
  ]);
  expect(suggest([DB, METRICS], ['shop:deployments/metrics'], '').sources).toEqual([
    'shop:statefulsets/orders-db',
  ]);
});

test('the first ones are shown in the order in which people count, and how many more there are', () => {
  const many = Array.from({ length: 12 }, (_, index) => makeWorkload({ name: `web-${index + 1}` }));
  const { sources, more } = suggest(many, [], 'web');
  expect(sources.at(1)).toBe('shop:deployments/web-2');
  expect([sources.length, more]).toEqual([8, 4]);
});

test('a name that no pod has is nothing, unless it says more or the list may lack pods', () => {
  const pods = ['web-1', 'db-0'].map((name) => makeWorkload({ name, kind: 'pods' }));
  const list = {
    workloads: new Map([...pods, DB].map((each) => [each.id, each])),
    isComplete: true,
    denied: [],
  };
  const isNothing = (text: string, more: Partial<Parameters<typeof isNoPod>[1]> = {}) =>
    isNoPod(parseSource(text), { ...list, ...more });
  expect(['zzzz', 'zz*', 'orders-db'].map((text) => isNothing(text))).toEqual([true, true, true]);
  for (const text of ['web-1', 'web-*', 'shop:zzzz', 'deployments/zzzz', 'shop:jobs/zzzz'])
    expect(isNothing(text), text).toBe(false);
  expect(isNothing('zzzz', { isComplete: false })).toBe(false);
  expect(isNothing('zzzz', { denied: [{ namespace: 'ops', error: { code: 'forbidden', data: {} } }] })).toBe(
    false,
  );
});
