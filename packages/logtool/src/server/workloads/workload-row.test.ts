import { expect, test } from 'vitest';
import type { PodFacts, WorkloadFacts } from './read-facts.ts';
import { nextRunAt, workloadRow } from './workload-row.ts';

const NOW = Date.UTC(2026, 10, 21, 10, 7, 30);

test.each([
  ['*/5 * * * *', undefined, '2026-11-21T10:10:00.000Z'],
  ['0 3 * * *', undefined, '2026-11-22T03:00:00.000Z'],
  ['0 3 * * *', 'Europe/Berlin', '2026-11-22T02:00:00.000Z'],
  ['TZ=Asia/Kolkata 30 16 * * *', undefined, '2026-11-21T11:00:00.000Z'],
  ['@hourly', undefined, '2026-11-21T11:00:00.000Z'],
  ['@daily', 'America/New_York', '2026-11-22T05:00:00.000Z'],
  ['0 0 1 JAN ?', undefined, '2027-01-01T00:00:00.000Z'],
  // A day of the month or a day of the week: either matches.
  ['0 0 13 * 1', undefined, '2026-11-23T00:00:00.000Z'],
  ['0 0 30 2 *', undefined, undefined],
  ['@every 1h', undefined, undefined],
  ['* * * * * *', undefined, undefined],
  ['not a schedule at all', undefined, undefined],
  ['0 3 * * *', 'Nowhere/Land', undefined],
])('%s in %s', (schedule, zone, next) => {
  expect(nextRunAt(schedule, zone, NOW)).toBe(next);
});

const WEB: WorkloadFacts = {
  uid: 'web',
  kind: 'deployments',
  namespace: 'shop',
  name: 'web',
  createdAt: '2026-11-21T08:00:00Z',
  owner: undefined,
  wanted: 1,
  note: undefined,
  schedule: undefined,
};

function pod(name: string, values: Partial<PodFacts>): PodFacts {
  return {
    uid: name,
    namespace: 'shop',
    name,
    createdAt: '2026-11-21T09:00:00Z',
    owner: undefined,
    isReady: false,
    isOver: false,
    isLeaving: false,
    restarts: 0,
    lastRestartAt: undefined,
    readinessAt: '2026-11-21T10:00:00Z',
    leavesAt: undefined,
    status: 'Pending',
    containers: ['app'],
    exits: [],
    waiting: undefined,
    isUnschedulable: false,
    ...values,
  };
}

const EVICTED = pod('web-1', {
  isOver: true,
  status: 'Error',
  exits: [{ pod: 'web-1', container: 'app', at: '2026-11-21T09:59:00Z', exitCode: 137, reason: 'Error' }],
});
const WITHOUT_IMAGE = pod('web-2', {
  status: 'ImagePullBackOff',
  waiting: { container: 'app', reason: 'ImagePullBackOff', image: 'web:2', message: 'not found' },
});

test.each([
  ['first', [EVICTED, WITHOUT_IMAGE]],
  ['last', [WITHOUT_IMAGE, EVICTED]],
])('how an evicted pod ended, listed %s, is no part of the trouble of its successor', (_, pods) => {
  const events = { lastEvent: undefined, lastWarning: undefined };
  const row = workloadRow(WEB, pods, events, undefined, NOW);
  expect(row).toMatchObject({ status: 'ImagePullBackOff', isFailing: true, podsReady: 0, podsTotal: 1 });
  expect(row.waiting?.image).toBe('web:2');
  expect(row.lastExit).toBeUndefined();
});

test('how an evicted pod ended is the trouble while it has no successor', () => {
  const events = { lastEvent: undefined, lastWarning: undefined };
  const row = workloadRow(WEB, [EVICTED], events, undefined, NOW);
  expect(row).toMatchObject({ status: 'Error', isFailing: true, lastExit: { exitCode: 137 } });
});
