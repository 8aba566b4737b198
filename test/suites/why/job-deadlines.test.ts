import { expect, test } from 'vitest';
import { type WhyJson, whyOf } from './why-world.ts';

/** Explains a Job until its deadline. */
async function explain(job: object, rest: object = {}) {
  const scenario = {
    seed: 1,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'Job',
        name: 'report',
        at: '-20m',
        activeDeadlineSeconds: 600,
        backoffLimit: 20,
        ...job,
      },
    ],
    ...rest,
  };
  const { stdout } = await whyOf(scenario, 'jobs/report', '-n', 'shop', '-o', 'json');
  return JSON.parse(stdout) as WhyJson & { readonly since: string };
}

test.each([
  ['Never', 'crashed', 6],
  ['OnFailure', 'restarted-again', 1],
] as const)('what made a Job miss its deadline precedes the deadline (%s)', async (policy, cause, pods) => {
  const { verdicts, since } = await explain({
    restartPolicy: policy,
    containers: [{ name: 'app', lines: ['panic: no database'], exit: { after: '20s', code: 2 } }],
  });
  expect(verdicts.map(({ code, isOver }) => [code, isOver])).toEqual([
    [cause, false],
    ['deadline-exceeded', false],
  ]);
  // The Job creates none after its deadline.
  expect(verdicts[0]?.pods).toHaveLength(pods);
  expect(since).toMatch(/^2026-11-22T11:40:/);
});

const APP = { name: 'app', lines: ['page 1'], exit: { after: '3h', code: 0 } };
const CONFIG = { volumes: [{ name: 'config', configMap: { name: 'report-settings' } }] };
const MOUNTS = { volumeMounts: [{ name: 'config', mountPath: '/etc/report' }] };

test.each([
  ['unschedulable', { containers: [{ ...APP, requests: { cpu: '100' } }] }, {}],
  [
    'object-missing',
    { containers: [{ ...APP, spec: { envFrom: [{ configMapRef: { name: 'report' } }] } }] },
    {},
  ],
  ['object-missing', { containers: [{ ...APP, spec: MOUNTS }], podSpec: CONFIG }, {}],
  ['sandbox-not-created', { containers: [APP] }, { networks: [{ node: 'node-1' }] }],
])(
  'what kept the pod of a Job from running until the deadline precedes it (%s)',
  async (cause, job, rest) => {
    const { verdicts, since } = await explain(job, rest);
    expect(verdicts.map(({ code, isOver, pods }) => [code, isOver, pods.length])).toEqual([
      [cause, false, 1],
      ['deadline-exceeded', false, 0],
    ]);
    expect(verdicts[0]?.doubts.map(({ code }) => code)).not.toContain('failure-old');
    expect(since).toMatch(/^2026-11-22T11:40:/);
  },
);

test('a pod of a Job that found room and ran until the deadline was not kept from running', async () => {
  const other = {
    kind: 'Deployment',
    name: 'web',
    replicas: 1,
    containers: [{ name: 'app', requests: { cpu: '1' }, logs: [{ format: 'plain', perSecond: 0.1 }] }],
  };
  const report = {
    kind: 'Job',
    name: 'report',
    at: '-20m',
    activeDeadlineSeconds: 600,
    containers: [{ ...APP, requests: { cpu: '1500m' } }],
  };
  const { verdicts, also } = await explain(
    {},
    {
      nodes: [{ name: 'node-1', cpu: '2' }],
      workloads: [other, report],
      timeline: [{ at: '-17m', action: 'scale', workload: 'deployments/web', replicas: 0 }],
    },
  );
  expect(verdicts.map(({ code }) => code)).toEqual(['deadline-exceeded']);
  expect(also.map(({ fact }) => fact.reason)).toContain('FailedScheduling');
});
