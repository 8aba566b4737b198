import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kubectl } from '../../../../../test/support/oracles/kubectl.ts';
import { play } from '../../../test/support/play.ts';
import { readEvent } from '../../scenario/check-input.ts';
import { startSimCluster } from '../../start.ts';

const NODES = [{ name: 'node-1' }];

function web(container: object = {}, more: object = {}) {
  return {
    kind: 'Deployment',
    name: 'web',
    replicas: 2,
    containers: [{ name: 'app', ...container }],
    ...more,
  };
}

async function start(workload: object, more: object = {}) {
  const { sim, clock } = await play({ nodes: NODES, startDelays: 'none', workloads: [workload], ...more });
  await clock.advance(1_000);
  return {
    sim,
    clock,
    events: (reason: string) =>
      sim.store.list('events').flatMap((event) => (event.reason === reason ? [String(event.message)] : [])),
    condition: (resource: string, type: string) => {
      const [object] = sim.store.list(resource);
      const conditions = object?.status?.conditions as readonly { type: string }[] | undefined;
      return conditions?.find((one) => one.type === type);
    },
  };
}

describe('pods that their namespace refuses', () => {
  function quota(hard: object) {
    const metadata = { name: 'compute', namespace: 'default' };
    return [{ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } }];
  }

  it.each([
    [
      { 'requests.cpu': '700m' },
      { requests: { cpu: '500m' } },
      'exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=500m, limited: requests.cpu=700m',
    ],
    [
      { 'limits.memory': '1Gi' },
      { limits: { memory: '768Mi' } },
      'exceeded quota: compute, requested: limits.memory=768Mi, used: limits.memory=768Mi, limited: limits.memory=1Gi',
    ],
    [{ 'limits.memory': '1Gi' }, {}, 'failed quota: compute: must specify limits.memory for: app'],
    [{ pods: '1' }, {}, 'exceeded quota: compute, requested: pods=1, used: pods=1, limited: pods=1'],
  ])('by a quota of %j', async (hard, container, expected) => {
    const { events, condition } = await start(web(container), { objects: quota(hard) });
    const [message] = events('FailedCreate');
    expect(message).toMatch(/^Error creating: pods "web-[a-z0-9]+-[a-z0-9]+" is forbidden: /);
    expect(message?.endsWith(`is forbidden: ${expected}`)).toBe(true);
    const failure = { status: 'True', reason: 'FailedCreate', message: expect.stringContaining(expected) };
    expect(condition('replicasets.apps', 'ReplicaFailure')).toMatchObject(failure);
    expect(condition('deployments.apps', 'ReplicaFailure')).toMatchObject(failure);
  });

  it('by a webhook, in its words', async () => {
    const webhook = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: {
        name: 'policy',
        annotations: { 'simcluster/denies-pods': 'images must come from registry.lan' },
      },
      webhooks: [{ name: 'images.policy.lan' }],
    };
    const { events } = await start(web(), { objects: [webhook] });
    expect(events('FailedCreate')).toEqual([
      'Error creating: admission webhook "images.policy.lan" denied the request: images must come from registry.lan',
    ]);
  });
});

describe('a rollout', () => {
  it('without progress has failed at its deadline, and continues when it can', async () => {
    const registries = [{ image: 'registry.lan/*', answers: 'not-found' }];
    const { sim, clock, condition } = await start(web({}, { progressDeadlineSeconds: 60 }), { registries });
    const progress = () => condition('deployments.apps', 'Progressing');
    expect(progress()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
    const rollout = (image: string) =>
      sim.act(readEvent({ action: 'rollout', workload: 'deployments/web', image }));
    rollout('registry.lan/web:2');
    await clock.advance(50_000);
    expect(progress()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' });
    await clock.advance(20_000);
    expect(progress()).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: expect.stringMatching(/^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/),
    });
    rollout('shop/web:3');
    await clock.advance(5_000);
    expect(progress()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
  });

  it('is what kubectl shows', async () => {
    const cluster = await startSimCluster({
      scenario: {
        nodes: NODES,
        backfill: '10m',
        registries: [{ image: 'registry.lan/*', answers: 'not-found' }],
        workloads: [web({ image: 'shop/web:1' }, { progressDeadlineSeconds: 60 })],
        timeline: [
          { at: '-8m', action: 'rollout', workload: 'deployments/web', image: 'shop/web:2' },
          { at: '-4m', action: 'rollout', workload: 'deployments/web', image: 'registry.lan/web:3' },
        ],
      },
      clock: new FakeClock(),
    });
    onTestFinished(() => cluster.close());
    const run = (line: string) => kubectl(line.split(' '), cluster);
    const status = await run('rollout status deployment/web --timeout=5s');
    expect([status.exitCode, status.stderr]).toEqual([
      1,
      'error: deployment "web" exceeded its progress deadline\n',
    ]);
    const history = await run('rollout history deployment/web');
    expect(history.stdout.toString()).toMatch(/^1 +<none>\n2 +<none>\n3 +<none>$/m);
    const second = await run('rollout history deployment/web --revision=2');
    expect(second.stdout.toString()).toMatch(/Image:\s+shop\/web:2/);
  });
});

it('a Job that runs longer than its deadline fails, and its pod goes', async () => {
  const job = {
    kind: 'Job',
    name: 'report',
    activeDeadlineSeconds: 30,
    containers: [{ name: 'app', lines: ['busy'] }],
  };
  const { sim, clock, condition, events } = await start({
    ...job,
    containers: [{ name: 'app', lines: ['busy'], exit: { after: '10m', code: 0 } }],
  });
  await clock.advance(35_000);
  expect(condition('jobs.batch', 'Failed')).toMatchObject({
    status: 'True',
    reason: 'DeadlineExceeded',
    message: 'Job was active longer than specified deadline',
  });
  expect(events('DeadlineExceeded')).toEqual(['Job was active longer than specified deadline']);
  expect(sim.store.list('pods')).toEqual([]);
});
