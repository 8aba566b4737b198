import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Playing, play as playScenario } from '../../test/support/play.ts';
import { type ContainerStatus, podStatus } from '../controllers/objects.ts';
import type { StoredObject } from '../store/store.ts';
import { readEvent } from './check-input.ts';
import type { Simulation } from './simulation.ts';

const MINUTE_MS = 60_000;
interface Acting extends Playing {
  act(event: unknown): Promise<void>;
}

async function play(scenario: unknown, seed?: number): Promise<Acting> {
  const playing = await playScenario(scenario, seed);
  const act = async (event: unknown) => {
    playing.sim.act(readEvent(event));
    await playing.clock.advance(0);
  };
  return { ...playing, act };
}

const NODES = [
  { name: 'a', zone: 'z1' },
  { name: 'b', zone: 'z2' },
];
const TRAFFIC = { format: 'logfmt', perSecond: 2 };

function shop(more: object = {}) {
  return {
    nodes: NODES,
    workloads: [
      { kind: 'Deployment', name: 'web', replicas: 2, containers: [{ name: 'app', logs: [TRAFFIC] }] },
    ],
    backfill: '10m',
    ...more,
  };
}

function pods(sim: Simulation, prefix = ''): readonly StoredObject[] {
  return sim.store.list('pods').filter((pod) => pod.metadata.name.startsWith(prefix));
}

function status(sim: Simulation, pod: StoredObject | undefined, index = 0): ContainerStatus {
  const current = sim.store.get('pods', pod?.metadata.namespace, pod?.metadata.name ?? '');
  const found = current && podStatus(current).containerStatuses?.[index];
  if (found === undefined) throw new Error('no status');
  return found;
}

function reasons(sim: Simulation): readonly unknown[] {
  return sim.store.list('events').map((event) => event.reason);
}

/** Reads every file below a folder: maps name to text, with compressed files unpacked. */
async function filesOf({ sim, directory }: Playing): Promise<Map<string, string>> {
  await sim.runtime.idle();
  const files = new Map<string, string>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    files.set(
      path.slice(directory.length + 1),
      (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1'),
    );
  }
  return files;
}

async function logOf(playing: Playing, name: string, container: string, run: number): Promise<string> {
  const files = await filesOf(playing);
  const found = [...files].find(
    ([path]) => path.includes(`_${name}_`) && path.endsWith(`/${container}/${run}.log`),
  );
  if (found === undefined) throw new Error(`no log of ${name} in ${[...files.keys()].join(' ')}`);
  return found[1];
}

describe('a simulated cluster', () => {
  it('is the same to the byte for the same seed, and another for another', async () => {
    const digest = async (seed: number) => {
      const playing = await play(
        shop({ timeline: [{ at: '-4m', action: 'rollout', workload: 'deployments/web' }] }),
        seed,
      );
      await playing.clock.advance(MINUTE_MS);
      const files = [...(await filesOf(playing))].sort();
      expect(files.length).toBe(2);
      expect(files.every(([, text]) => text.split('\n').length > 300)).toBe(true);
      const objects = ['pods', 'replicasets.apps', 'events'].map((resource) =>
        playing.sim.store.list(resource),
      );
      return createHash('sha256')
        .update(JSON.stringify([files, objects]))
        .digest('hex');
    };
    expect(await digest(1)).toBe(await digest(1));
    expect(await digest(1)).not.toBe(await digest(2));
  });

  it('keeps writing as time advances', async () => {
    const playing = await play(shop());
    const [pod] = pods(playing.sim);
    const before = (await logOf(playing, pod?.metadata.name ?? '', 'app', 0)).split('\n').length;
    await playing.clock.advance(MINUTE_MS);
    const after = (await logOf(playing, pod?.metadata.name ?? '', 'app', 0)).split('\n').length;
    expect(after - before).toBeGreaterThan(60);
    expect(after - before).toBeLessThan(240);
  });

  it('takes a pod through its phases', async () => {
    const { sim, clock } = await play(shop({ backfill: '0s' }));
    const phases = () =>
      pods(sim).map((pod) => [
        podStatus(pod).phase,
        podStatus(pod).containerStatuses?.[0]?.state.waiting?.reason,
      ]);
    expect(phases()).toEqual([
      ['Pending', undefined],
      ['Pending', undefined],
    ]);
    await clock.advance(500);
    expect(phases()).toEqual([
      ['Pending', 'ContainerCreating'],
      ['Pending', 'ContainerCreating'],
    ]);
    await clock.advance(3000);
    expect(phases()).toEqual([
      ['Running', undefined],
      ['Running', undefined],
    ]);
    expect(reasons(sim)).toEqual(
      expect.arrayContaining([
        'Scheduled',
        'Pulled',
        'Created',
        'Started',
        'SuccessfulCreate',
        'ScalingReplicaSet',
      ]),
    );
    expect(new Set(pods(sim).map((pod) => pod.spec?.nodeName)).size).toBe(2);
  });
});

describe('an event of the timeline', () => {
  it('crash: the run ends, the next one begins, and the one before stays readable', async () => {
    const playing = await play(shop());
    const { sim, clock, act } = playing;
    const [pod] = pods(sim);
    const first = status(sim, pod).containerID;
    await act({ action: 'crash', pod: pod?.metadata.name, code: 9 });
    expect(status(sim, pod).state.terminated).toMatchObject({
      exitCode: 9,
      reason: 'Error',
      containerID: first,
    });
    await clock.advance(5000);
    const now = status(sim, pod);
    expect(now).toMatchObject({
      restartCount: 1,
      ready: true,
      lastState: { terminated: { exitCode: 9, containerID: first } },
    });
    expect(now.containerID).not.toBe(first);
    expect((await logOf(playing, pod?.metadata.name ?? '', 'app', 0)).length).toBeGreaterThan(0);
    expect(await logOf(playing, pod?.metadata.name ?? '', 'app', 1)).toContain('level=');
  });

  it('oom: 137, OOMKilled', async () => {
    const { sim, act } = await play(shop());
    await act({ action: 'oom', workload: 'deployments/web', index: 0 });
    expect(status(sim, pods(sim)[0]).state.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(status(sim, pods(sim)[1]).state.running).toBeDefined();
  });

  it('rollout: a second ReplicaSet takes over, and the pods of the first go', async () => {
    const { sim, clock, act } = await play(shop());
    const before = pods(sim).map((pod) => pod.metadata.uid);
    await act({
      action: 'rollout',
      workload: 'deployments/web',
      image: 'registry.example.com/sim/app:2.0.0',
    });
    await clock.advance(2 * MINUTE_MS);
    expect(pods(sim).filter((pod) => before.includes(pod.metadata.uid))).toEqual([]);
    expect(pods(sim).map((pod) => podStatus(pod).phase)).toEqual(['Running', 'Running']);
    const sets = sim.store.list('replicasets.apps');
    expect(sets.map((set) => set.spec?.replicas).sort()).toEqual([0, 2]);
    const revisions = sets
      .map((set) => set.metadata.annotations?.['deployment.kubernetes.io/revision'])
      .sort();
    expect(revisions).toEqual(['1', '2']);
    expect(sim.store.get('deployments.apps', 'default', 'web')?.status).toMatchObject({
      updatedReplicas: 2,
      readyReplicas: 2,
    });
  });

  it('scale: up and down, with graceful ends', async () => {
    const playing = await play(shop());
    const { sim, clock, act } = playing;
    await act({ action: 'scale', workload: 'deployments/web', replicas: 4 });
    await clock.advance(5000);
    expect(pods(sim).length).toBe(4);
    await act({ action: 'scale', workload: 'deployments/web', replicas: 1 });
    expect(pods(sim).filter((pod) => pod.metadata.deletionTimestamp !== undefined).length).toBe(3);
    await clock.advance(MINUTE_MS);
    expect(pods(sim).length).toBe(1);
    expect((await filesOf(playing)).size).toBe(1);
  });

  it('delete: the pod ends and another comes; with all, the workload goes with everything it owns', async () => {
    const { sim, clock, act } = await play(shop());
    const [pod] = pods(sim);
    await act({ action: 'delete', pod: pod?.metadata.name });
    await clock.advance(MINUTE_MS);
    expect(pods(sim).length).toBe(2);
    expect(pods(sim).map((p) => p.metadata.uid)).not.toContain(pod?.metadata.uid);
    await act({ action: 'delete', workload: 'deployments/web', all: true });
    await clock.advance(MINUTE_MS);
    expect(pods(sim)).toEqual([]);
    expect(sim.store.list('replicasets.apps')).toEqual([]);
  });

  it('rotate: the newest file starts empty', async () => {
    const playing = await play(shop());
    const [pod] = pods(playing.sim);
    await playing.act({ action: 'rotate', pod: pod?.metadata.name });
    expect(await logOf(playing, pod?.metadata.name ?? '', 'app', 0)).toBe('');
    const rotated = [...(await filesOf(playing)).keys()].filter((path) => /0\.log\.\d{8}-\d{6}$/.test(path));
    expect(rotated.length).toBe(1);
  });

  it('write: one entry with its very bytes and stamp', async () => {
    const playing = await play(shop());
    const [pod] = pods(playing.sim);
    const entry = {
      base64: Buffer.from([0x61, 0xff, 0x62]).toString('base64'),
      stream: 'stderr',
      stamp: '2026-11-21T09:59:59.000000001Z',
    };
    await playing.act({ action: 'write', pod: pod?.metadata.name, ...entry });
    const text = await logOf(playing, pod?.metadata.name ?? '', 'app', 0);
    expect(text.endsWith('2026-11-21T09:59:59.000000001Z stderr F a\u00ffb\n')).toBe(true);
  });

  it('drain: pods move to the other node, and none comes back before uncordon', async () => {
    const { sim, clock, act } = await play(shop());
    await act({ action: 'drain', node: 'a' });
    await clock.advance(MINUTE_MS);
    expect(pods(sim).map((pod) => pod.spec?.nodeName)).toEqual(['b', 'b']);
    await act({ action: 'uncordon', node: 'a' });
    await act({ action: 'scale', workload: 'deployments/web', replicas: 3 });
    await clock.advance(5000);
    expect(pods(sim).filter((pod) => pod.spec?.nodeName === 'a').length).toBe(1);
  });

  it('kubelet-down: nothing is reported until it is up again, then all of it', async () => {
    const { sim, clock, act } = await play(shop());
    const pod = pods(sim).find((p) => p.spec?.nodeName === 'a');
    await act({ action: 'kubelet-down', node: 'a' });
    await act({ action: 'crash', pod: pod?.metadata.name });
    await clock.advance(MINUTE_MS);
    expect(status(sim, pod).restartCount).toBe(0);
    expect(status(sim, pod).state.running).toBeDefined();
    const ready = () =>
      JSON.stringify(sim.store.get('nodes', undefined, 'a')?.status).match(/"Ready","status":"(\w+)"/)?.[1];
    expect(ready()).toBe('Unknown');
    await act({ action: 'kubelet-up', node: 'a' });
    await clock.advance(5000);
    expect(ready()).toBe('True');
    expect(status(sim, pod)).toMatchObject({ restartCount: 1, ready: true });
  });

  it('runtime-restart: lines written meanwhile come late', async () => {
    const playing = await play(shop());
    const { sim, clock, act } = playing;
    const node = pods(sim)[0]?.spec?.nodeName;
    await act({ action: 'runtime-restart', node });
    expect(sim.runtime.node(String(node)).runtime).toBe('down');
    await clock.advance(10_000);
    expect(sim.runtime.node(String(node)).runtime).toBe('up');
    expect(status(sim, pods(sim)[0]).restartCount).toBe(0);
  });

  it('ephemeral: one more container in the pod', async () => {
    const playing = await play(shop());
    const { sim, clock, act } = playing;
    const [pod] = pods(sim);
    await act({
      action: 'ephemeral',
      pod: pod?.metadata.name,
      containers: [{ name: 'debug', kind: 'ephemeral', lines: ['hi'] }],
    });
    await clock.advance(3000);
    const current = sim.store.get('pods', 'default', pod?.metadata.name ?? '');
    expect(current && podStatus(current).ephemeralContainerStatuses?.[0]).toMatchObject({
      name: 'debug',
      state: { running: {} },
    });
    expect(await logOf(playing, pod?.metadata.name ?? '', 'debug', 0)).toMatch(/ stdout F hi\n$/);
  });

  it('behave: other lines from now on, without a restart', async () => {
    const playing = await play(shop());
    const { sim, clock, act } = playing;
    const broken = {
      name: 'app',
      logs: [{ format: 'plain', perSecond: 5, messages: [{ level: 'error', text: 'broken' }] }],
    };
    await act({ action: 'behave', workload: 'deployments/web', containers: [broken] });
    await clock.advance(5000);
    const text = await logOf(playing, pods(sim)[0]?.metadata.name ?? '', 'app', 0);
    expect(text).toContain('level=info');
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/ERROR broken$/);
    expect(status(sim, pods(sim)[0]).restartCount).toBe(0);
  });

  it('names what is missing', async () => {
    const { act } = await play(shop());
    await expect(act({ action: 'crash', pod: 'nobody' })).rejects.toThrow(
      'no pod nobody in namespace default',
    );
    await expect(act({ action: 'scale', workload: 'deployments/nothing', replicas: 1 })).rejects.toThrow(
      'no deployments/nothing',
    );
    await expect(act({ action: 'drain', node: 'zz' })).rejects.toThrow('no node zz');
  });
});
