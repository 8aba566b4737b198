import { describe, expect, it } from 'vitest';
import { names, play as playScenario, podNamed as pod } from '../../../test/support/play.ts';
import { podStatus } from '../objects.ts';

const NODES = [
  { name: 'a', zone: 'z1' },
  { name: 'b', zone: 'z2' },
];
const APP = { name: 'app', lines: ['up'] };

function play(workload: object | readonly object[], more: object = {}) {
  const workloads = Array.isArray(workload) ? workload : [workload];
  return playScenario({ nodes: NODES, workloads, ...more });
}

describe('the life of a pod', () => {
  it('back off from a crash loop: at once, then 10 s, 20 s, 40 s', async () => {
    const { sim, clock } = await play({
      kind: 'Pod',
      name: 'p',
      containers: [{ ...APP, exit: { code: 2 } }],
    });
    const restarts: number[] = [];
    let seen = 0;
    const start = clock.now();
    for (let second = 0; second < 90; second++) {
      await clock.advance(1000);
      const count = podStatus(pod(sim, 'p')).containerStatuses?.[0]?.restartCount ?? 0;
      if (count > seen) restarts.push(Math.round((clock.now() - start) / 1000));
      seen = count;
    }
    const gaps = restarts.slice(1).map((at, index) => at - (restarts[index] ?? 0));
    expect(gaps.length).toBe(3);
    for (const [index, wanted] of [10, 20, 40].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(wanted - 1);
      expect(gaps[index]).toBeLessThanOrEqual(wanted + 2);
    }
    const status = podStatus(pod(sim, 'p'));
    expect(status.phase).toBe('Running');
    expect(status.containerStatuses?.[0]?.state.waiting).toMatchObject({
      reason: 'CrashLoopBackOff',
      message: expect.stringMatching(/^back-off 1m20s restarting failed container=app pod=p_default\(/),
    });
    expect(status.containerStatuses?.[0]?.lastState.terminated).toMatchObject({ exitCode: 2 });
  });

  it('has the times of its containers by the clock of its node, as their logs have them', async () => {
    const { sim, clock } = await play(
      { kind: 'Pod', name: 'p', containers: [{ ...APP, exit: { after: '10s', code: 2 } }] },
      { nodes: [{ name: 'a', clockSkew: '5m' }], startDelays: 'none' },
    );
    const status = () => podStatus(pod(sim, 'p')).containerStatuses?.[0];
    const ahead = (time: string | undefined) => Math.round((Date.parse(time ?? '') - clock.now()) / 60_000);
    await clock.advance(1_000);
    expect(ahead(status()?.state.running?.startedAt)).toBe(5);
    // The first restart has no delay, even if the clock is ahead.
    await clock.advance(15_000);
    expect(status()?.restartCount).toBe(1);
    const last = status()?.lastState.terminated;
    expect([ahead(last?.startedAt), ahead(last?.finishedAt)]).toEqual([5, 5]);
  });

  it('run init containers in order, a sidecar beside them, then the others', async () => {
    const { sim, clock } = await play({
      kind: 'Pod',
      name: 'p',
      containers: [
        { name: 'first', kind: 'init', exit: { after: '5s', code: 0 } },
        { name: 'proxy', kind: 'sidecar', lines: ['proxy'] },
        { name: 'second', kind: 'init', exit: { after: '5s', code: 0 } },
        APP,
      ],
    });
    const states = () => {
      const { initContainerStatuses = [], containerStatuses = [] } = podStatus(pod(sim, 'p'));
      return [...initContainerStatuses, ...containerStatuses].map(
        (c) => `${c.name} ${Object.keys(c.state)[0]}`,
      );
    };
    await clock.advance(3000);
    expect(states()).toEqual(['first running', 'proxy waiting', 'second waiting', 'app waiting']);
    expect(podStatus(pod(sim, 'p')).phase).toBe('Pending');
    await clock.advance(6000);
    expect(states()).toEqual(['first terminated', 'proxy running', 'second running', 'app waiting']);
    await clock.advance(8000);
    expect(states()).toEqual(['first terminated', 'proxy running', 'second terminated', 'app running']);
    expect(podStatus(pod(sim, 'p')).phase).toBe('Running');
  });

  it('end the sidecars of a Job once its work is done', async () => {
    const { sim, clock } = await play({
      kind: 'Job',
      name: 'j',
      containers: [
        { name: 'proxy', kind: 'sidecar', lines: ['proxy'] },
        { ...APP, exit: { after: '2s', code: 0 } },
      ],
    });
    await clock.advance(30_000);
    expect(podStatus(pod(sim, 'j')).phase).toBe('Succeeded');
    expect(JSON.stringify(sim.store.get('jobs.batch', 'default', 'j')?.status)).toContain('"Complete"');
  });

  it('report what keeps a pod from running', async () => {
    const { sim, clock } = await play([
      {
        kind: 'Pod',
        name: 'image',
        containers: [{ name: 'app', image: 'registry.example.com/no/such:1', state: 'bad-image' }],
      },
      { kind: 'Pod', name: 'volume', containers: [{ name: 'app', state: 'creating' }] },
      { kind: 'Pod', name: 'homeless', nodeSelector: { disk: 'nvme' }, containers: [APP] },
    ]);
    const reason = (name: string) => podStatus(pod(sim, name)).containerStatuses?.[0]?.state.waiting?.reason;
    await clock.advance(3000);
    expect(reason('image')).toBe('ErrImagePull');
    await clock.advance(3000);
    expect(reason('image')).toBe('ImagePullBackOff');
    await clock.advance(9000);
    expect(reason('volume')).toBe('ContainerCreating');
    const homeless = pod(sim, 'homeless');
    expect(homeless.spec?.nodeName).toBeUndefined();
    expect(podStatus(homeless).conditions).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: expect.stringContaining(
          "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
        ),
      },
    ]);
    const reasons = sim.store.list('events').map((event) => event.reason);
    expect(reasons).toEqual(
      expect.arrayContaining(['FailedScheduling', 'FailedMount', 'Failed', 'BackOff', 'Pulling']),
    );
  });

  it('schedule and run a pod that somebody made, with the behavior that it brings', async () => {
    const { sim, clock } = await play([]);
    sim.store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'hi', namespace: 'default' },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'main',
            image: 'busybox',
            env: [{ name: 'SIMCLUSTER_BEHAVIOR', value: 'lines: [hello]\nexit: { after: 2s, code: 3 }' }],
          },
        ],
      },
      status: { phase: 'Pending' },
    });
    await clock.advance(3000);
    expect(podStatus(pod(sim, 'hi')).phase).toBe('Running');
    await clock.advance(3000);
    expect(podStatus(pod(sim, 'hi'))).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error' } } }],
    });
  });

  it('let a pod that ignores SIGTERM live to the end of its grace period', async () => {
    const { sim, clock } = await play({
      kind: 'Pod',
      name: 'p',
      gracePeriodSeconds: 20,
      containers: [{ ...APP, stop: { ignore: true } }],
    });
    await clock.advance(5000);
    sim.act({ action: 'delete', pod: 'p', all: false });
    await clock.advance(19_000);
    expect(podStatus(pod(sim, 'p')).containerStatuses?.[0]?.state.running).toBeDefined();
    await clock.advance(1100);
    expect(podStatus(pod(sim, 'p')).containerStatuses?.[0]?.state.terminated?.exitCode).toBe(137);
    await clock.advance(2000);
    expect(names(sim)).toEqual([]);
  });

  it('continue after a kubelet was down: with a container in back-off and a pod that was being deleted', async () => {
    const looping = {
      kind: 'Pod',
      name: 'looping',
      nodeName: 'a',
      containers: [{ ...APP, exit: { code: 2 } }],
    };
    const { sim, clock } = await play([
      looping,
      { kind: 'Pod', name: 'leaving', nodeName: 'a', containers: [APP] },
    ]);
    await clock.advance(15_000);
    const restarts = () => podStatus(pod(sim, 'looping')).containerStatuses?.[0]?.restartCount ?? 0;
    const before = restarts();
    sim.act({ action: 'delete', pod: 'leaving', all: false });
    await clock.advance(100);
    sim.act({ action: 'kubelet-down', node: 'a' });
    await clock.advance(300_000);
    expect(restarts()).toBe(before);
    expect(names(sim)).toEqual(['leaving', 'looping']);
    sim.act({ action: 'kubelet-up', node: 'a' });
    await clock.advance(5000);
    expect(restarts()).toBeGreaterThan(before);
    expect(names(sim)).toEqual(['looping']);
  });
});
