import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const LOGS = { logs: [{ format: 'plain', perSecond: 0.1, levels: { info: 1 } }] };
const APP = [{ name: 'app', ...LOGS }];
const web = (replicas: number) => ({ kind: 'Deployment', name: 'web', replicas, containers: APP });
const OTHER = { kind: 'Deployment', name: 'other', replicas: 1, containers: APP };
const quotaOf = (pods: number) => [
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'shop' },
    spec: { hard: { pods: String(pods) } },
  },
];

/** Returns each workload with a problem and its causes, and the names of the healthy ones. */
async function sectionsOf(scenario: object, source = 'pods/*') {
  const world = await openWhy({
    seed: 7,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }, { name: 'node-2' }],
    ...scenario,
  });
  const { stdout } = await world.why(source, '-n', 'shop', '-o', 'json');
  await world.close();
  const { workloads, verdicts, healthy } = JSON.parse(stdout) as WhyJson;
  const troubled = workloads.map(({ subject, verdicts: own }) => [
    `${subject.kind} ${subject.name}`,
    ...own.map((index) => `${verdicts[index]?.code}${verdicts[index]?.isOver ? ' (over)' : ''}`),
  ]);
  return { troubled, healthy: healthy.names };
}

test.each([
  ['of several pods', [web(2), OTHER], 3, ['other', 'web']],
  ['of one pod', [web(1)], 1, ['web']],
])('a refused Deployment is not the one whose name it begins with, %s', async (_, others, pods, healthy) => {
  const workloads = [...others, { ...web(1), name: 'web-redis', at: '-10m' }];
  expect(await sectionsOf({ objects: quotaOf(pods), workloads })).toEqual({
    troubled: [['Deployment web-redis', 'quota-exceeded', 'rollout-stuck']],
    healthy,
  });
});

test('a refused StatefulSet is not the Deployment whose name it begins with, and is not over', async () => {
  const workloads = [web(2), OTHER, { ...web(1), kind: 'StatefulSet', name: 'web-db', at: '-10m' }];
  expect(await sectionsOf({ objects: quotaOf(3), workloads })).toEqual({
    troubled: [['StatefulSet web-db', 'quota-exceeded']],
    healthy: ['other', 'web'],
  });
});

test('a Job past its deadline, and its pod that is gone, are not of the Deployment whose name it begins with', async () => {
  const containers = [{ name: 'app', image: 'r/m:denied', lines: ['x'] }];
  const job = { kind: 'Job', name: 'web-migrate', at: '-10m', activeDeadlineSeconds: 120, containers };
  const registries = [{ image: '*:denied', answers: 'denied' }];
  const { troubled, healthy } = await sectionsOf({ registries, workloads: [web(2), OTHER, job] });
  expect(troubled.map(([name]) => name)).toEqual(['Job web-migrate']);
  expect(troubled[0]).toContain('deadline-exceeded');
  expect(healthy).toEqual(['other', 'web']);
});

test('a Deployment that crashed and was deleted with its pods leaves one whose name it begins with healthy', async () => {
  const crash = { name: 'app', lines: ['panic'], exit: { after: '5s', code: 1 } };
  const workloads = [web(2), OTHER, { ...web(1), name: 'web-redis', containers: [crash] }];
  const timeline = [{ at: '-5m', action: 'delete', workload: 'deployments/web-redis', all: true }];
  const { troubled, healthy } = await sectionsOf({ workloads, timeline });
  expect(troubled).toEqual([]);
  expect(healthy).toContain('web');
});

test.each(['jobs/*', 'pods/*', 'cronjobs/*'])(
  'the Jobs of each CronJob are one workload: %s',
  async (source) => {
    const cronJob = (name: string, code: number) => ({
      kind: 'CronJob',
      name,
      schedule: '3-59/7 * * * *',
      backoffLimit: 0,
      restartPolicy: 'Never',
      containers: [{ name: 'app', lines: ['done'], exit: { after: '2s', code } }],
    });
    const { troubled, healthy } = await sectionsOf(
      { workloads: [cronJob('bad', 1), cronJob('good', 0)] },
      source,
    );
    expect(troubled).toEqual([['CronJob bad', 'backoff-limit-exceeded', 'crashed']]);
    expect(healthy).toEqual(['good']);
  },
);

test('all pods of a Deployment without permission to read it are no ReplicaSet of its name', async () => {
  const rule = {
    namespace: 'shop',
    apiGroups: [''],
    resources: ['pods', 'pods/log'],
    verbs: ['get', 'list', 'watch'],
  };
  const world = await openWhy({
    seed: 7,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    users: [{ name: 'reader', namespace: 'shop', rules: [rule] }],
    workloads: [web(2)],
  });
  const { stdout } = await world.why('pods/*', '-n', 'shop', '--kube-context', 'reader');
  await world.close();
  expect(stdout).toMatch(/^pods\/\*: /);
  expect(stdout).toContain("next: logtool logs 'pods/*'");
});
