import { expect, test } from 'vitest';
import type { Problem } from '../protocol/protocol.ts';
import { distinct } from './reporter.ts';

const away = (key: string, code: string): Problem => ({
  key,
  error: { code, data: { why: key } },
  source: 0,
  isOutage: true,
});
const denied: Problem = { key: 'd', error: { code: 'forbidden', data: {} }, source: 1 };

test('a cluster that is away is one problem, in the plainest word for it, whatever each connection says', () => {
  const reported = distinct([
    away('a', 'connection-lost'),
    denied,
    away('b', 'unreachable'),
    away('c', 'connection-lost'),
  ]);
  expect(reported.map(({ key, error }) => [key, error.code])).toEqual([
    ['outage', 'unreachable'],
    ['d', 'forbidden'],
  ]);
});

test('reports the same problem of several containers once', () => {
  expect(distinct([denied, { ...denied, key: 'e', source: 2 }])).toEqual([denied]);
});

test('a right that is missing for many pods of a namespace is one missing right', () => {
  const refused = (name: string, namespace: string): Problem => ({
    key: name,
    error: {
      code: 'forbidden',
      data: { right: { verb: 'get', resource: 'pods/log', name } },
      denied: { verb: 'get', resource: 'pods/log', namespace, name, check: `can-i ${name}` },
    },
    source: 0,
  });
  const reported = distinct([
    refused('a', 'shop'),
    refused('x', 'data'),
    refused('b', 'shop'),
    refused('a', 'shop'),
  ]);
  expect(reported.map(({ key, others }) => [key, others])).toEqual([
    ['a', 1],
    ['x', undefined],
  ]);
});
