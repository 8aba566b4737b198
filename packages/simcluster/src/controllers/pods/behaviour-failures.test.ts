import { describe, expect, it } from 'vitest';
import { play, podNamed } from '../../../test/support/play.ts';
import { readEvent } from '../../scenario/check-input.ts';
import { podStatus } from '../objects.ts';

const NODES = [{ name: 'node-1' }];
const HTTP = { httpGet: { path: '/healthz', port: 8080 } };

interface Container {
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** Runs a pod with one container (or more) on one node. */
async function run(container: Container, more: { readonly pod?: object; readonly scenario?: object } = {}) {
  const { sim, clock } = await play({
    nodes: NODES,
    startDelays: 'none',
    workloads: [{ kind: 'Pod', name: 'p', containers: [{ name: 'app', ...container }], ...more.pod }],
    ...more.scenario,
  });
  const pod = () => podStatus(podNamed(sim, 'p'));
  return {
    sim,
    clock,
    pod,
    status: () => pod().containerStatuses?.[0],
    condition: (type: string) => pod().conditions?.find((one) => one.type === type),
    act: async (event: object) => {
      sim.act(readEvent(event));
      await clock.advance(0);
    },
    events: (...reasons: readonly string[]) =>
      sim.store
        .list('events')
        .filter(({ reason }) => reasons.includes(String(reason)))
        .map(({ type, reason, message, count }) => `${type} ${reason} x${count}: ${message}`),
  };
}

describe('a probe that fails', () => {
  it('of readiness takes the pod out of service, and lets it back', async () => {
    const { clock, status, condition, events } = await run({
      spec: { readinessProbe: { ...HTTP, periodSeconds: 5 } },
      probes: [{ probe: 'readiness', from: '20s', until: '60s', answer: 503 }],
    });
    await clock.advance(10_000);
    expect([status()?.ready, condition('Ready')?.status]).toEqual([true, 'True']);
    await clock.advance(30_000);
    expect([status()?.ready, status()?.started, status()?.restartCount]).toEqual([false, true, 0]);
    expect(condition('Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [app]',
    });
    await clock.advance(30_000);
    expect(condition('Ready')?.status).toBe('True');
    expect(events('Unhealthy')).toEqual([
      'Warning Unhealthy x8: Readiness probe failed: HTTP probe failed with statuscode: 503',
    ]);
  });

  it('of liveness restarts the container: 137 when it ignores SIGTERM, its own code when it obeys', async () => {
    const probes = [{ probe: 'liveness', after: '20s', answer: 'timeout' }];
    const spec = { livenessProbe: { ...HTTP, periodSeconds: 10, failureThreshold: 2 } };
    for (const [stop, exitCode] of [
      [{ ignore: true }, 137],
      [{ code: 143 }, 143],
    ] as const) {
      const { clock, status, events } = await run(
        { spec, probes, stop },
        { pod: { gracePeriodSeconds: 10 } },
      );
      await clock.advance(50_000);
      expect(status()).toMatchObject({
        restartCount: 1,
        lastState: { terminated: { exitCode, reason: 'Error' } },
      });
      expect(events('Killing')).toEqual([
        'Normal Killing x1: Container app failed liveness probe, will be restarted',
      ]);
      expect(events('Unhealthy')).toEqual([
        expect.stringMatching(
          /^Warning Unhealthy x2: Liveness probe failed: Get "http:\/\/10\.244\.\d+\.\d+:8080\/healthz": context deadline exceeded \(Client\.Timeout exceeded while awaiting headers\)$/,
        ),
      ]);
    }
  });

  it('of startup keeps the others waiting, and ends the container at last', async () => {
    const { clock, status, events } = await run({
      spec: {
        startupProbe: { exec: { command: ['test', '-f', '/ready'] }, periodSeconds: 5, failureThreshold: 3 },
        readinessProbe: HTTP,
      },
      probes: [{ probe: 'startup', output: 'no /ready yet' }],
    });
    await clock.advance(4_000);
    expect([status()?.started, status()?.ready]).toEqual([false, false]);
    await clock.advance(8_000);
    expect(events('Unhealthy', 'Killing').toSorted()).toEqual([
      'Normal Killing x1: Container app failed startup probe, will be restarted',
      'Warning Unhealthy x3: Startup probe failed: no /ready yet',
    ]);
  });
});

describe('a kill', () => {
  it('of a child that runs out of memory leaves the container running, until it ends by itself', async () => {
    const { clock, status, act, events } = await run({ limits: { memory: '256Mi' } });
    await clock.advance(1_000);
    await act({ action: 'oom', pod: 'p', process: 'child', victim: 'convert', reported: true });
    expect(status()).toMatchObject({ restartCount: 0, ready: true, lastState: {} });
    expect(events('OOMKilling')).toEqual([
      expect.stringMatching(
        /^Warning OOMKilling x1: Memory cgroup out of memory: Killed process \d+ \(convert\)/,
      ),
    ]);
    await act({ action: 'crash', pod: 'p', code: 1 });
    // containerd remembers the kill: a code of 1 with the reason OOMKilled.
    expect(status()?.state.terminated).toMatchObject({ exitCode: 1, reason: 'OOMKilled' });
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGSEGV', 139],
    ['SIGTERM', 143],
  ])('by %s has the exit code %i and no event of its own', async (signal, exitCode) => {
    const { clock, status, act, events } = await run({});
    await clock.advance(1_000);
    await act({ action: 'kill', pod: 'p', signal });
    expect(status()?.state.terminated).toMatchObject({ exitCode, reason: 'Error' });
    expect(events('Killing', 'Evicted', 'OOMKilling')).toEqual([]);
  });

  it('by eviction fails the pod with the resource, and the node has pressure', async () => {
    const { sim, clock, pod, status, condition, act, events } = await run({ requests: { memory: '64Mi' } });
    await clock.advance(1_000);
    await act({ action: 'pressure', node: 'node-1', resource: 'memory' });
    const usage = { app: '800Mi' };
    await act({ action: 'evict', pod: 'p', threshold: '100Mi', available: '92Mi', usage });
    await clock.advance(1_000);
    const message =
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 92Mi. Container app was using 800Mi, request is 64Mi, has larger consumption of memory. ';
    expect(pod()).toMatchObject({ phase: 'Failed', reason: 'Evicted', message });
    expect(status()?.state.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(condition('DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
    expect(
      events('Evicted', 'Killing', 'NodeHasInsufficientMemory', 'EvictionThresholdMet').toSorted(),
    ).toEqual([
      'Normal Killing x1: Stopping container app',
      'Normal NodeHasInsufficientMemory x1: Node node-1 status is now: NodeHasInsufficientMemory',
      `Warning Evicted x1: ${message}`,
      'Warning EvictionThresholdMet x1: Attempting to reclaim memory',
    ]);
    const node = sim.store.get('nodes', undefined, 'node-1');
    expect(node?.spec).toMatchObject({ taints: [{ key: 'node.kubernetes.io/memory-pressure' }] });
    await act({ action: 'pressure', node: 'node-1', resource: 'memory', on: false });
    expect(sim.store.get('nodes', undefined, 'node-1')?.spec).not.toHaveProperty('taints');
  });

  it('by draining a node says that the eviction API did it', async () => {
    const { clock, condition, act } = await run({ stop: { after: '5s', code: 143 } });
    await clock.advance(1_000);
    await act({ action: 'drain', node: 'node-1' });
    expect(condition('DisruptionTarget')).toMatchObject({
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
  });
});

describe('a container that cannot be made', () => {
  const REFERENCES = [
    [{ envFrom: [{ configMapRef: { name: 'settings' } }] }, 'configmap "settings" not found'],
    [{ envFrom: [{ secretRef: { name: 'login' } }] }, 'secret "login" not found'],
    [
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'present', key: 'url' } } }] },
      "couldn't find key url in ConfigMap default/present",
    ],
  ] as const;

  it.each(REFERENCES)('that lacks a reference: %j', async (spec, message) => {
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'present', namespace: 'default' }, data: {} },
    ];
    const { clock, status, events } = await run({ spec }, { scenario: { objects } });
    await clock.advance(1_000);
    expect(status()?.state.waiting).toEqual({ reason: 'CreateContainerConfigError', message });
    expect(events('Failed')).toEqual([`Warning Failed x1: Error: ${message}`]);
  });

  it('starts when the reference is there, or is optional', async () => {
    const spec = { envFrom: [{ configMapRef: { name: 'settings' } }] };
    const { sim, clock, status } = await run({ spec });
    await clock.advance(1_000);
    sim.store.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    });
    await clock.advance(30_000);
    expect(status()?.state.running).toBeDefined();
    const optional = { envFrom: [{ configMapRef: { name: 'settings', optional: true } }] };
    const other = await run({ spec: optional });
    await other.clock.advance(1_000);
    expect(other.status()?.state.running).toBeDefined();
  });

  it('because its command is missing: StartError 128, then the back-off', async () => {
    const { clock, status, events } = await run({ command: ['serve'], startError: 'not-found' });
    const message =
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown';
    await clock.advance(500);
    expect(status()?.state.waiting).toEqual({ reason: 'RunContainerError', message });
    expect(status()?.lastState.terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      startedAt: '1970-01-01T00:00:00Z',
      message,
    });
    await clock.advance(3_000);
    expect(status()?.state.waiting?.reason).toBe('CrashLoopBackOff');
    expect(events('Failed')).toEqual([`Warning Failed x2: Error: ${message}`]);
  });
});

describe('a volume', () => {
  it('of a ConfigMap that is missing is reported, and mounted when it comes', async () => {
    const podSpec = { volumes: [{ name: 'config', configMap: { name: 'settings' } }] };
    const { sim, clock, status, events } = await run({}, { pod: { podSpec } });
    await clock.advance(10_000);
    expect(status()?.state.waiting).toEqual({ reason: 'ContainerCreating' });
    expect(events('FailedMount')).toEqual([
      'Warning FailedMount x5: MountVolume.SetUp failed for volume "config" : configmap "settings" not found',
    ]);
    sim.store.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    });
    await clock.advance(20_000);
    expect(status()?.state.running).toBeDefined();
  });

  it('that another node has is an event of the attach controller, and of the kubelet after two minutes', async () => {
    const objects = [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data', namespace: 'default' },
        spec: { volumeName: 'pvc-1' },
      },
    ];
    const podSpec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
    const volumes = [{ claim: 'data', fails: 'multi-attach' }];
    const { clock, events } = await run({}, { pod: { podSpec }, scenario: { objects, volumes } });
    await clock.advance(130_000);
    expect(events('FailedAttachVolume')).toEqual([
      expect.stringMatching(
        /: Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another$/,
      ),
    ]);
    expect(events('FailedMount')).toEqual([
      'Warning FailedMount x1: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    ]);
  });
});

describe('a node', () => {
  it('that is lost makes its pods not ready, and after five minutes deletes them', async () => {
    const { sim, clock, pod, condition, act, events } = await run({});
    await clock.advance(1_000);
    await act({ action: 'node-down', node: 'node-1' });
    await clock.advance(41_000);
    expect(condition('Ready')?.status).toBe('False');
    const node = sim.store.get('nodes', undefined, 'node-1');
    expect(node?.spec).toMatchObject({
      taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }, { effect: 'NoExecute' }],
    });
    expect(node?.status?.conditions).toMatchObject(
      Array.from({ length: 4 }, () => ({ status: 'Unknown', reason: 'NodeStatusUnknown' })),
    );
    expect(events('NodeNotReady').toSorted()).toEqual([
      'Normal NodeNotReady x1: Node node-1 status is now: NodeNotReady',
      'Warning NodeNotReady x1: Node is not ready',
    ]);
    await clock.advance(301_000);
    expect(podNamed(sim, 'p').metadata.deletionTimestamp).toBeDefined();
    expect(pod().conditions?.[0]).toMatchObject({ reason: 'DeletionByTaintManager' });
    expect(events('TaintManagerEviction')).toEqual([
      'Normal TaintManagerEviction x1: Marking for deletion Pod default/p',
    ]);
  });

  it('that boots has another boot ID, and creates its containers again', async () => {
    const { sim, clock, status, act, events } = await run({});
    await clock.advance(1_000);
    const bootId = () => {
      const node = sim.store.get('nodes', undefined, 'node-1');
      return (node?.status?.nodeInfo as { bootID?: string } | undefined)?.bootID;
    };
    const before = bootId();
    await act({ action: 'node-down', node: 'node-1' });
    await clock.advance(60_000);
    await act({ action: 'node-up', node: 'node-1' });
    await clock.advance(5_000);
    expect(bootId()).not.toBe(before);
    expect(status()).toMatchObject({
      restartCount: 1,
      ready: true,
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    });
    expect(events('Rebooted')).toEqual([
      `Warning Rebooted x1: Node node-1 has been rebooted, boot id: ${bootId()}`,
    ]);
    expect(events('NodeReady', 'SandboxChanged').length).toBe(2);
  });
});
