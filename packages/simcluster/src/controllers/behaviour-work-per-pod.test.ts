import { describe, expect, it } from 'vitest';
import { play } from '../../test/support/play.ts';

const NODES = Array.from({ length: 20 }, (_, index) => ({ name: `n${index}`, pods: 1000 }));
const containers = [{ name: 'app', lines: ['up'] }];
const service = { port: 80 };

const SHAPES: Readonly<Record<string, (pods: number) => object>> = {
  'many Deployments': (pods) => ({
    workloads: [{ kind: 'Deployment', name: 'd', copies: pods / 10, replicas: 10, service, containers }],
  }),
  'one Deployment': (pods) => ({
    workloads: [{ kind: 'Deployment', name: 'd', replicas: pods, containers }],
  }),
  'pods without an owner': (pods) => ({ workloads: [{ kind: 'Pod', name: 'p', copies: pods, containers }] }),
  'Jobs that end': (pods) => ({
    workloads: [
      { kind: 'Job', name: 'j', copies: pods, containers: [{ ...containers[0], exit: { code: 0 } }] },
    ],
  }),
};

/** Returns how many objects the controllers received per pod, from the first to the last that runs. */
async function listedPerPod(shape: string, pods: number, startDelays: string): Promise<number> {
  const { sim, clock } = await play({ nodes: NODES, startDelays, ...SHAPES[shape]?.(pods) });
  await clock.advance(10_000);
  const done = sim.store.list('pods').filter((pod) => pod.status?.phase !== 'Pending').length;
  expect(done).toBe(pods);
  return sim.store.objectsListed / pods;
}

describe('the controllers', () => {
  it.each(Object.keys(SHAPES).flatMap((shape) => ['none', 'real'].map((delays) => [shape, delays] as const)))(
    'do no more for each pod when there are more: %s, start delays %s',
    async (shape, delays) => {
      const forSmall = await listedPerPod(shape, 40, delays);
      const forLarge = await listedPerPod(shape, 320, delays);
      expect(forLarge).toBeLessThan(forSmall * 1.5);
    },
  );

  it("inspect only a pod's own objects when one pod among many goes", async () => {
    const { sim, clock } = await play({
      nodes: NODES,
      startDelays: 'none',
      ...SHAPES['many Deployments']?.(320),
    });
    await clock.advance(1000);
    const before = sim.store.objectsListed;
    const pod = sim.store.get('pods', 'default', sim.store.list('pods')[100]?.metadata.name ?? '');
    const listed = sim.store.objectsListed;
    sim.act({ action: 'delete', pod: pod?.metadata.name, all: false });
    await clock.advance(60_000);
    expect(sim.store.get('pods', 'default', pod?.metadata.name ?? '')).toBeUndefined();
    expect(listed - before).toBe(320);
    expect(sim.store.objectsListed - listed).toBeLessThan(320);
  });
});
