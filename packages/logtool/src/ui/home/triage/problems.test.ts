import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import type { Workload } from '../../../contract/workload.ts';
import { describeProblem } from './describe-problem.ts';
import { findProblems, firstOf, openTogether, sourcesOf } from './problems.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const exit = (minutes: number, more: object = {}) => ({
  pod: 'web-1',
  container: 'app',
  at: ago(minutes),
  exitCode: 1,
  reason: 'Error',
  pods: 1,
  ...more,
});
const warning = (minutes: number, more: object = {}) => ({
  at: ago(minutes),
  firstAt: ago(minutes + 3),
  count: 1,
  reason: 'Unhealthy',
  message: 'Readiness probe failed: 503',
  isOver: false,
  ...more,
});
const oom = exit(12, { reason: 'OOMKilled', exitCode: 137, memoryLimit: '256Mi' });

/** Returns what the page shows for one workload; undefined: nothing. */
function shown(fields: Partial<Workload>): readonly [string, string] | undefined {
  const [problem] = findProblems([makeWorkload({ name: 'web', ...fields })], NOW);
  if (problem === undefined) return undefined;
  const { what, why } = describeProblem(problem, NOW);
  return [what, why];
}

test.each<[string, Partial<Workload>, string, string]>([
  ['a kill by memory', { restarts: 1, lastExit: oom }, 'OOMKilled 12 min ago, limit 256Mi, exit 137', ''],
  [
    'restarts after a fault of the process',
    { restarts: 3, lastExit: exit(40, { exitCode: 139 }) },
    'Error 40 min ago, exit 139 (SIGSEGV), 3 restarts',
    '',
  ],
  [
    'containers that ended in several ways, each with its newest time',
    {
      restarts: 7,
      lastExit: exit(5),
      otherExits: [{ ...oom, pods: 3 }, exit(61, { exitCode: 2 })],
    },
    'Error 5 min ago, exit 1; OOMKilled in 3 pods, last 12 min ago, limit 256Mi, exit 137, 7 restarts',
    '',
  ],
  [
    'a crash loop',
    {
      podsReady: 1,
      restarts: 6,
      isFailing: true,
      status: 'CrashLoopBackOff',
      lastExit: exit(2),
      waiting: {
        container: 'app',
        reason: 'CrashLoopBackOff',
        message: 'back-off 5m0s restarting failed container=app pod=web',
      },
      lastWarning: warning(1, { reason: 'BackOff', message: 'Back-off restarting failed container app' }),
    },
    'CrashLoopBackOff: Error 2 min ago, exit 1, 6 restarts',
    '',
  ],
  [
    'an image that cannot be pulled, with the answer of the registry',
    {
      podsReady: 0,
      isFailing: true,
      status: 'ImagePullBackOff',
      notReadySince: ago(5),
      waiting: {
        container: 'app',
        image: 'registry.example.com/web:v43',
        reason: 'ImagePullBackOff',
        message: 'unexpected status from HEAD request: 404 Not Found',
      },
    },
    'ImagePullBackOff for 5 min',
    'registry.example.com/web:v43: unexpected status from HEAD request: 404 Not Found',
  ],
  [
    'an image that cannot be pulled, and the earlier end of a container that is no part of it',
    {
      podsReady: 0,
      isFailing: true,
      status: 'ImagePullBackOff',
      notReadySince: ago(5),
      restarts: 2,
      lastExit: oom,
    },
    'ImagePullBackOff for 5 min; OOMKilled 12 min ago, limit 256Mi, exit 137, 2 restarts',
    '',
  ],
  [
    'an image of a cluster whose statuses have no answer, which its event has',
    {
      podsReady: 0,
      isFailing: true,
      status: 'ErrImagePull',
      notReadySince: ago(5),
      waiting: {
        container: 'app',
        image: 'web:v43',
        reason: 'ImagePullBackOff',
        message: '',
      },
      lastWarning: warning(1, {
        reason: 'Failed',
        message: 'Failed to pull image "web:v43": dial tcp: lookup registry: no such host',
      }),
    },
    'ErrImagePull for 5 min',
    'web:v43: Failed to pull image "web:v43": dial tcp: lookup registry: no such host',
  ],
  [
    'a pod without a node',
    {
      podsReady: 0,
      isFailing: true,
      status: 'Unschedulable',
      notReadySince: ago(7),
      lastWarning: warning(1, { reason: 'FailedScheduling', message: '0/2 nodes are available' }),
    },
    'Unschedulable for 7 min',
    '0/2 nodes are available',
  ],
  [
    'pods that are not ready',
    { podsReady: 1, notReadySince: ago(3), podsTotal: 3, lastWarning: warning(1) },
    '2 of 3 pods not ready for 3 min',
    'Readiness probe failed: 503',
  ],
  ['pods that are missing', { podsReady: 0, podsTotal: 1 }, 'Not ready', ''],
  [
    'a warning about what runs',
    { lastWarning: warning(1, { count: 14 }) },
    'Unhealthy 1 min ago, 14 times',
    'Readiness probe failed: 503',
  ],
  [
    'a Job that was stopped',
    {
      kind: 'jobs',
      podsReady: 0,
      isFailing: true,
      status: 'DeadlineExceeded',
      failingSince: ago(4),
      lastWarning: warning(4, { reason: 'DeadlineExceeded', message: 'Job was active too long' }),
    },
    'DeadlineExceeded 4 min ago',
    'Job was active too long',
  ],
  [
    'a quota that refuses pods',
    { podsReady: 2, podsTotal: 4, isFailing: true, status: 'FailedCreate', failingSince: ago(20) },
    'FailedCreate for 20 min',
    '',
  ],
  [
    'a Job that failed',
    { kind: 'jobs', podsReady: 0, isFailing: true, status: 'BackoffLimitExceeded', lastExit: exit(9) },
    'BackoffLimitExceeded: Error 9 min ago, exit 1',
    '',
  ],
])('%s needs attention', (_, fields, what, why) => {
  expect(shown(fields)).toEqual([what, why]);
});

test.each<[string, Partial<Workload>]>([
  ['what runs', {}],
  ['a Job that is done', { kind: 'jobs', podsReady: 0, podsTotal: 1, status: 'done', lastExit: exit(1) }],
  ['a Job that runs', { kind: 'jobs', podsReady: 0, podsTotal: 1 }],
  ['a CronJob between its runs', { kind: 'cronjobs', podsReady: 0, podsTotal: 1, lastWarning: warning(1) }],
  ['a suspended CronJob', { kind: 'cronjobs', podsReady: 0, podsTotal: 1, status: 'suspended' }],
  ['what is scaled to zero', { podsReady: 0, podsTotal: 0, lastWarning: warning(1) }],
  ['a pod that has succeeded', { kind: 'pods', podsReady: 0, podsTotal: 1, status: 'done' }],
  ['a pod that belongs to a workload', { kind: 'pods', ownerId: 'web', isFailing: true, status: 'Error' }],
  ['pods that start', { podsReady: 0, notReadySince: ago(0.5) }],
  ['a restart of this morning', { restarts: 2, lastExit: exit(61) }],
  ['a warning that is over', { lastWarning: warning(1, { isOver: true }) }],
  ['a probe that failed a while ago, below its threshold', { lastWarning: warning(3, { count: 2 }) }],
  ['an old warning', { lastWarning: warning(16) }],
  ['what is not known yet', { podsReady: 0, isFailing: true, isPartial: true }],
])('%s needs none', (_, fields) => {
  expect(shown(fields)).toBeUndefined();
});

test('the worst comes first, then names as people count', () => {
  const rows = [
    makeWorkload({ name: 'a-warned', lastWarning: warning(1) }),
    makeWorkload({ name: 'b-restarted', restarts: 1, lastExit: exit(1) }),
    makeWorkload({ name: 'c-down', podsReady: 0 }),
    makeWorkload({ name: 'd-10', isFailing: true, status: 'Error' }),
    makeWorkload({ name: 'd-2', isFailing: true, status: 'Error' }),
  ];
  const names = findProblems(rows, NOW).map(({ workload }) => workload.name);
  expect(names).toEqual(['d-2', 'd-10', 'c-down', 'b-restarted', 'a-warned']);
});

test('the first sign is the earliest that the cluster still reports of all of them', () => {
  const problems = findProblems(
    [
      makeWorkload({ name: 'one', restarts: 1, lastExit: exit(12) }),
      makeWorkload({ name: 'two', podsReady: 0, notReadySince: ago(20), lastWarning: warning(14) }),
      makeWorkload({ name: 'three', podsReady: 0 }),
    ],
    NOW,
  );
  expect(firstOf(problems)).toBe(NOW - 20 * 60_000);
  expect(firstOf(problems.filter(({ workload }) => workload.name === 'three'))).toBeUndefined();
  const crashing = makeWorkload({
    name: 'five',
    isFailing: true,
    lastExit: exit(2),
    otherExits: [exit(9, { exitCode: 2 })],
    waiting: { container: 'app', reason: 'CrashLoopBackOff' },
  });
  expect(firstOf(findProblems([crashing], NOW))).toBe(NOW - 9 * 60_000);
  // The same end happened to other pods before.
  const spread = makeWorkload({ name: 'six', restarts: 3, lastExit: { ...exit(6), firstAt: ago(41) } });
  expect(firstOf(findProblems([spread], NOW))).toBe(NOW - 41 * 60_000);
  // It was ready between two exits.
  const loop = { ...crashing, lastWarning: warning(20, { reason: 'BackOff', isOver: true }) };
  expect(firstOf(findProblems([loop], NOW))).toBe(NOW - 23 * 60_000);
  // A repeated warning started earlier.
  const again = warning(10, { reason: 'FailedMount' });
  expect(firstOf(findProblems([makeWorkload({ name: 'four', lastWarning: again })], NOW))).toBe(
    NOW - 13 * 60_000,
  );
});

test('the logs of a problem are those of the workload and of other containers that failed', () => {
  const sources = (fields: Partial<Workload>) => {
    const [problem] = findProblems([makeWorkload({ name: 'web', namespace: 'shop', ...fields })], NOW);
    return problem && sourcesOf(problem, NOW);
  };
  const containers = ['app', 'proxy', 'migrate'];
  const own = 'shop:deployments/web';
  expect(sources({ restarts: 1, lastExit: exit(5), containers })).toEqual([own]);
  expect(
    sources({
      restarts: 2,
      lastExit: exit(5, { container: 'proxy' }),
      otherExits: [
        exit(9, { container: 'app', exitCode: 2 }),
        exit(70, { container: 'migrate', exitCode: 3 }),
      ],
      containers,
    }),
  ).toEqual([own, `${own}/proxy`]);
  const waiting = { container: 'migrate', reason: 'CrashLoopBackOff' };
  expect(
    sources({
      isFailing: true,
      status: 'Init:CrashLoopBackOff',
      lastExit: exit(2, { container: 'migrate' }),
      waiting,
      containers,
    }),
  ).toEqual([own, `${own}/migrate`]);
});

test('problems open together as far as their sources are not too many', () => {
  const workloads = ['a', 'b', 'c'].map((name) =>
    makeWorkload({
      id: name,
      name,
      restarts: 1,
      lastExit: exit(5, { container: 'proxy' }),
      containers: ['app', 'proxy'],
    }),
  );
  const problems = findProblems(workloads, NOW);
  expect(openTogether(problems, 5, NOW).opened.map(({ workload }) => workload.name)).toEqual(['a', 'b']);
  expect(openTogether(problems, 6, NOW).sources).toHaveLength(6);
});
