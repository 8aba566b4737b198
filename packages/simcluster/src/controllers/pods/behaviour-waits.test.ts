import { describe, expect, it } from 'vitest';
import { play, podNamed } from '../../../test/support/play.ts';
import { podStatus } from '../objects.ts';

const NODES = [{ name: 'node-1' }];
const GATE = 'target-health.example.com/web';
type Sim = Awaited<ReturnType<typeof play>>['sim'];

const conditionOf = (sim: Sim, type: string) =>
  podStatus(podNamed(sim, 'p')).conditions?.find((condition) => condition.type === type);

const texts = (sim: Sim) => sim.store.list('events').map(({ reason, message }) => `${reason}: ${message}`);

/** Runs one pod whose container has these fields. */
function pod(container: object, more: object = {}) {
  return { kind: 'Pod', name: 'p', containers: [{ name: 'app', ...container }], ...more };
}

describe('a pod', () => {
  it('has no node while it has a scheduling gate, and no event says so', async () => {
    const gated = pod({}, { podSpec: { schedulingGates: [{ name: 'example.com/quota' }] } });
    const { sim, clock } = await play({ nodes: NODES, workloads: [gated] });
    await clock.advance(60_000);
    expect(conditionOf(sim, 'PodScheduled')).toEqual({
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: null,
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    });
    expect(texts(sim)).toEqual([]);
    sim.act({ action: 'ungate', pod: 'p' });
    await clock.advance(5_000);
    expect(podNamed(sim, 'p').spec).toMatchObject({ nodeName: 'node-1' });
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('is not ready while a readiness gate lacks its condition, or has another status', async () => {
    const gated = pod({}, { podSpec: { readinessGates: [{ conditionType: GATE }] } });
    const { sim, clock } = await play({ nodes: NODES, workloads: [gated] });
    await clock.advance(5_000);
    expect(conditionOf(sim, 'ContainersReady')?.status).toBe('True');
    expect(conditionOf(sim, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: `corresponding condition of pod readiness gate "${GATE}" does not exist.`,
    });
    sim.act({ action: 'condition', pod: 'p', type: GATE, status: 'False', reason: 'Failed', message: 'no' });
    await clock.advance(1_000);
    expect(conditionOf(sim, 'Ready')?.message).toBe(
      `the status of pod readiness gate "${GATE}" is not "True", but False`,
    );
    expect(conditionOf(sim, GATE)).toMatchObject({ status: 'False', reason: 'Failed', message: 'no' });
    sim.act({ action: 'condition', pod: 'p', type: GATE, status: 'True' });
    await clock.advance(1_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('waits for its image as long as the pull takes', async () => {
    const registries = [{ image: 'ml/model:v2', takes: '10m' }];
    const { sim, clock } = await play({
      nodes: NODES,
      registries,
      workloads: [pod({ image: 'ml/model:v2' })],
    });
    const reported = () =>
      texts(sim)
        .filter((text) => /^Pull/.test(text))
        .sort();
    await clock.advance(590_000);
    expect(reported()).toEqual(['Pulling: Pulling image "ml/model:v2"']);
    expect(podStatus(podNamed(sim, 'p')).containerStatuses?.[0]?.state.waiting?.reason).toBe(
      'ContainerCreating',
    );
    await clock.advance(15_000);
    expect(reported()).toEqual([
      'Pulled: Successfully pulled image "ml/model:v2" in 10m0s (10m0s including waiting). Image size: 51298201 bytes.',
      'Pulling: Pulling image "ml/model:v2"',
    ]);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('reports a pull that fails after some time once', async () => {
    const registries = [{ image: 'ml/model:v2', takes: '1m', answers: 'not-found', times: 1 }];
    const { sim, clock } = await play({
      nodes: NODES,
      registries,
      workloads: [pod({ image: 'ml/model:v2' })],
    });
    await clock.advance(63_000);
    expect(texts(sim).filter((text) => text.startsWith('Failed: Failed to pull image'))).toHaveLength(1);
    expect(sim.store.list('events').find(({ reason }) => reason === 'Pulling')?.count).toBe(1);
    await clock.advance(120_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('in the network of its node needs none of its own', async () => {
    const networks = [{ node: 'node-1' }];
    const { sim, clock } = await play({
      nodes: NODES,
      networks,
      workloads: [pod({}, { hostNetwork: true })],
    });
    await clock.advance(5_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('is ready only after the delay of its probe, in each run', async () => {
    const readinessProbe = { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 60 };
    const { sim, clock } = await play({ nodes: NODES, workloads: [pod({ spec: { readinessProbe } })] });
    await clock.advance(58_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('False');
    await clock.advance(7_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
    sim.act({ action: 'crash', pod: 'p', code: 1 });
    await clock.advance(50_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('False');
    await clock.advance(20_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('is ready after the delay of its probe that runs on while it starts', async () => {
    const probe = { httpGet: { path: '/', port: 80 } };
    const spec = {
      startupProbe: { ...probe, initialDelaySeconds: 30 },
      readinessProbe: { ...probe, initialDelaySeconds: 40 },
    };
    const { sim, clock } = await play({ nodes: NODES, workloads: [pod({ spec })] });
    await clock.advance(38_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('False');
    await clock.advance(7_000);
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });

  it('is ready at once in a scenario without start delays', async () => {
    const readinessProbe = { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 60 };
    const workloads = [pod({ spec: { readinessProbe } })];
    const { sim } = await play({ nodes: NODES, workloads, startDelays: 'none' });
    expect(conditionOf(sim, 'Ready')?.status).toBe('True');
  });
});
