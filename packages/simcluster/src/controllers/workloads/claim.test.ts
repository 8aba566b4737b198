import { describe, expect, it } from 'vitest';
import { names, type Playing, play as playScenario } from '../../../test/support/play.ts';
import type { StoredObject } from '../../store/store.ts';
import { controllerOf, workloadSpec } from '../objects.ts';

const WEB = { kind: 'Deployment', name: 'web', replicas: 2, containers: [{ name: 'app', lines: ['up'] }] };

async function play(workload: object): Promise<Playing & { settle(): Promise<void> }> {
  const playing = await playScenario({ nodes: [{ name: 'a' }], startDelays: 'none', workloads: [workload] });
  const settle = () => playing.clock.advance(60_000);
  await settle();
  return { ...playing, settle };
}

/** Deletes an object and keeps what it owned, like `kubectl delete --cascade=orphan`. */
function orphan({ sim, clock }: Playing, resource: string, name: string): void {
  sim.store.update(resource, 'default', name, (object) => {
    object.metadata.finalizers = ['orphan'];
    object.metadata.deletionTimestamp = new Date(clock.now()).toISOString();
    return undefined;
  });
}

function relabel({ sim }: Playing, pod: string, labels: Record<string, string> | undefined): void {
  sim.store.update('pods', 'default', pod, (object) => {
    if (labels === undefined) delete object.metadata.labels;
    else object.metadata.labels = labels;
    return undefined;
  });
}

function owners({ sim }: Playing, resource: string): readonly string[] {
  return sim.store.list(resource).map((object) => controllerOf(object)?.name ?? 'nobody');
}

function fresh(object: StoredObject | undefined): object {
  const { metadata, apiVersion, kind, spec } = object as StoredObject;
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: 'default', labels: metadata.labels },
    spec,
  };
}

describe('a Deployment', () => {
  it('adopts the orphaned ReplicaSet of a Deployment with the same name, with its pods', async () => {
    const playing = await play(WEB);
    const { sim, settle } = playing;
    const [pods, sets, again] = [
      names(sim),
      names(sim, 'replicasets.apps'),
      fresh(sim.store.list('deployments.apps')[0]),
    ];
    orphan(playing, 'deployments.apps', 'web');
    await settle();
    expect(names(sim, 'deployments.apps')).toEqual([]);
    expect(owners(playing, 'replicasets.apps')).toEqual(['nobody']);
    const created = sim.store.create('deployments.apps', again);
    await settle();
    expect(names(sim, 'replicasets.apps')).toEqual(sets);
    expect(names(sim)).toEqual(pods);
    expect(sim.store.list('replicasets.apps')[0]?.metadata.ownerReferences).toMatchObject([
      { kind: 'Deployment', name: 'web', uid: created.metadata.uid, controller: true },
    ]);
    expect(sim.store.get('deployments.apps', 'default', 'web')?.status).toMatchObject({ readyReplicas: 2 });
  });

  it('rolls over from an orphaned ReplicaSet with another template', async () => {
    const playing = await play(WEB);
    const { sim, settle } = playing;
    const old = names(sim);
    const again = structuredClone(fresh(sim.store.list('deployments.apps')[0])) as StoredObject;
    orphan(playing, 'deployments.apps', 'web');
    await settle();
    const { template } = again.spec as { template: { spec: { containers: { image: string }[] } } };
    for (const container of template.spec.containers) container.image = 'registry.example.com/sim/app:2.0.0';
    sim.store.create('deployments.apps', again);
    await settle();
    expect(owners(playing, 'replicasets.apps')).toEqual(['web', 'web']);
    expect(names(sim).length).toBe(2);
    expect(names(sim).filter((name) => old.includes(name))).toEqual([]);
  });

  it('lets go of a ReplicaSet that its selector no longer matches', async () => {
    const playing = await play(WEB);
    const { sim, settle } = playing;
    const [name = ''] = names(sim, 'replicasets.apps');
    sim.store.update('replicasets.apps', 'default', name, (set) => {
      set.metadata.labels = { lost: 'yes' };
      return undefined;
    });
    await settle();
    expect(controllerOf(sim.store.get('replicasets.apps', 'default', name) as StoredObject)).toBeUndefined();
    // Its name is taken, so the new one has another name.
    expect([...owners(playing, 'replicasets.apps')].sort()).toEqual(['nobody', 'web']);
    expect(sim.store.get('deployments.apps', 'default', 'web')?.status).toMatchObject({
      collisionCount: 1,
      readyReplicas: 2,
    });
  });
});

describe('a ReplicaSet', () => {
  it('makes a new pod for one whose labels were changed, and leaves that to nobody', async () => {
    const playing = await play({ ...WEB, kind: 'ReplicaSet' });
    const [stray = ''] = names(playing.sim);
    relabel(playing, stray, { debug: 'yes' });
    await playing.settle();
    const { sim } = playing;
    expect(names(sim).length).toBe(3);
    const pod = sim.store.get('pods', 'default', stray) as StoredObject;
    expect(controllerOf(pod)).toBeUndefined();
    expect(pod.metadata.ownerReferences).toBeUndefined();
    expect(sim.store.get('replicasets.apps', 'default', 'web')?.status).toMatchObject({ replicas: 2 });
  });

  it('adopts a matching pod without a controller, and releases one that is too many', async () => {
    const playing = await play({ ...WEB, kind: 'ReplicaSet' });
    const { sim, settle } = playing;
    const [stray = ''] = names(sim);
    const { labels } = (sim.store.get('pods', 'default', stray) as StoredObject).metadata;
    relabel(playing, stray, undefined);
    await settle();
    expect(names(sim).length).toBe(3);
    relabel(playing, stray, labels);
    await settle();
    expect(names(sim).length).toBe(2);
    expect(owners(playing, 'pods')).toEqual(['web', 'web']);
  });

  it('takes in the pods of one of its name that was deleted without them', async () => {
    const playing = await play({ ...WEB, kind: 'ReplicaSet' });
    const { sim, settle } = playing;
    const [pods, again] = [names(sim), fresh(sim.store.list('replicasets.apps')[0])];
    orphan(playing, 'replicasets.apps', 'web');
    await settle();
    expect(owners(playing, 'pods')).toEqual(['nobody', 'nobody']);
    sim.store.create('replicasets.apps', again);
    await settle();
    expect(names(sim)).toEqual(pods);
    expect(owners(playing, 'pods')).toEqual(['web', 'web']);
  });

  it('does not touch what another controls, or what has ended', async () => {
    const playing = await play({ ...WEB, kind: 'ReplicaSet' });
    const { sim, settle } = playing;
    const set = sim.store.get('replicasets.apps', 'default', 'web') as StoredObject;
    const pod = (name: string, more: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        labels: workloadSpec(set).selector?.matchLabels,
        ...more,
      },
      spec: { nodeName: 'a', containers: [{ name: 'app', image: 'x' }] },
    });
    const other = { apiVersion: 'v1', kind: 'Thing', name: 'other', uid: 'u-1', controller: true };
    sim.store.create('pods', pod('theirs', { ownerReferences: [other] }));
    sim.store.create('pods', { ...pod('ended', {}), status: { phase: 'Succeeded' } });
    await settle();
    expect(owners(playing, 'pods')).toEqual(expect.arrayContaining(['other', 'web']));
    expect(sim.store.get('replicasets.apps', 'default', 'web')?.status).toMatchObject({ replicas: 2 });
  });
});
