import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { suggest } from './source-suggestions.tsx';

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
