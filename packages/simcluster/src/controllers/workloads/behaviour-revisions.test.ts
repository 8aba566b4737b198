import { expect, it } from 'vitest';
import { play } from '../../../test/support/play.ts';

const NODES = [{ name: 'a' }, { name: 'b' }];
type Sim = Awaited<ReturnType<typeof play>>['sim'];

const agent = (kind: string) => ({
  kind,
  name: 'agent',
  replicas: 2,
  containers: [{ name: 'app', image: 'agent:v1' }],
});

function revisions(sim: Sim) {
  return sim.store
    .list('controllerrevisions.apps')
    .map(({ revision, data }) => [revision, /agent:v\d/.exec(JSON.stringify(data))?.[0]])
    .sort((a, b) => Number(a[0]) - Number(b[0]));
}

const messages = (sim: Sim, reason: string) =>
  sim.store
    .list('events')
    .filter((event) => event.reason === reason)
    .map(({ message }) => message);

it.each(['DaemonSet', 'StatefulSet'])(
  'keeps each template of a %s, with the next number after a rollback',
  async (kind) => {
    const { sim, clock } = await play({ nodes: NODES, workloads: [agent(kind)] });
    const workload = `${kind.toLowerCase()}s/agent`;
    await clock.advance(30_000);
    expect(revisions(sim)).toEqual([[1, 'agent:v1']]);
    sim.act({ action: 'rollout', workload, image: 'agent:v2' });
    await clock.advance(30_000);
    expect(revisions(sim)).toEqual([
      [1, 'agent:v1'],
      [2, 'agent:v2'],
    ]);
    sim.act({ action: 'rollout', workload, image: 'agent:v1' });
    await clock.advance(30_000);
    expect(revisions(sim)).toEqual([
      [2, 'agent:v2'],
      [3, 'agent:v1'],
    ]);
  },
);

it('labels the revision of a DaemonSet as its pods', async () => {
  const { sim, clock } = await play({ nodes: NODES, workloads: [agent('DaemonSet')] });
  await clock.advance(30_000);
  const labels = (resource: string) =>
    sim.store.list(resource).map(({ metadata }) => metadata.labels?.['controller-revision-hash']);
  const [hash] = labels('controllerrevisions.apps');
  expect(hash).toBeDefined();
  expect(labels('pods')).toEqual([hash, hash]);
  const [owned] = sim.store.list('controllerrevisions.apps');
  expect(owned?.metadata).toMatchObject({
    name: `agent-${hash}`,
    ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true }],
  });
});

it('reports the pods that the controllers delete', async () => {
  const workloads = [agent('DaemonSet'), { ...agent('StatefulSet'), name: 'db', replicas: 1 }];
  const { sim, clock } = await play({ nodes: NODES, workloads });
  await clock.advance(30_000);
  const [first] = sim.store.list('pods').filter(({ metadata }) => metadata.name.startsWith('agent-'));
  sim.act({ action: 'rollout', workload: 'daemonsets/agent', image: 'agent:v2' });
  sim.act({ action: 'rollout', workload: 'statefulsets/db', image: 'agent:v2' });
  expect(messages(sim, 'SuccessfulDelete').sort()).toEqual([
    `Deleted pod: ${first?.metadata.name}`,
    'delete Pod db-0 in StatefulSet db successful',
  ]);
});

it('replaces pods of a DaemonSet that are not ready at once after a change of its template', async () => {
  const probe = { readinessProbe: { httpGet: { path: '/', port: 80 } } };
  const broken = {
    ...agent('DaemonSet'),
    containers: [{ name: 'app', image: 'agent:v1', spec: probe, probes: [{ probe: 'readiness' }] }],
  };
  const { sim, clock } = await play({ nodes: NODES, workloads: [broken] });
  await clock.advance(30_000);
  sim.act({ action: 'rollout', workload: 'daemonsets/agent', image: 'agent:v2' });
  await clock.advance(30_000);
  const images = sim.store.list('pods').map(({ spec }) => /agent:v\d/.exec(JSON.stringify(spec))?.[0]);
  expect(images).toEqual(['agent:v2', 'agent:v2']);
});

it('reports a pod of a DaemonSet that has failed, and makes another', async () => {
  const { sim, clock } = await play({ nodes: NODES, workloads: [agent('DaemonSet')] });
  await clock.advance(30_000);
  const [pod] = sim.store.list('pods');
  sim.act({ action: 'evict', workload: 'daemonsets/agent', index: 0, resource: 'memory', usage: {} });
  await clock.advance(30_000);
  expect(messages(sim, 'FailedDaemonPod')).toEqual([
    expect.stringMatching(/^Found failed daemon pod default\/agent-\w+ on node [ab], will try to kill it$/),
  ]);
  expect(sim.store.list('pods')).toHaveLength(2);
  expect(sim.store.list('pods').map(({ metadata }) => metadata.uid)).not.toContain(pod?.metadata.uid);
});
