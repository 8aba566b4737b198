import { readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { describe, expect, test } from 'vitest';
import { pod } from '../../../../../test/support/resolve/objects.ts';
import { readPod } from './pod-facts.ts';

const RECORDED = new URL('../../../../../test/recorded/list/', import.meta.url);

function recorded(name: string) {
  const text = readFileSync(new URL(`${name}.json`, RECORDED), 'utf8');
  const exchange = JSON.parse(text) as { readonly response: { readonly body: string } };
  return readPod(JSON.parse(exchange.response.body) as KubeObject);
}

/** Returns one line per container: name, kind, state and whether it may restart. */
function outline(name: string): readonly string[] {
  return recorded(name).containers.map(({ name: container, kind, state, mayRestart }) => {
    const detail =
      state.kind === 'waiting' ? state.reason : state.kind === 'terminated' ? state.exitCode : '';
    return [container, kind, state.kind, detail, mayRestart ? 'again' : 'done'].join(' ');
  });
}

test.each([
  [
    'pod-with-init',
    [
      'wait-db init terminated 0 done',
      'log-shipper sidecar running  again',
      'warm-cache init terminated 0 done',
      'main regular running  again',
    ],
  ],
  [
    'pod-db-0-with-ephemeral',
    [
      'postgres regular running  again',
      'oneshot ephemeral terminated 3 done',
      'debugger ephemeral running  done',
    ],
  ],
  ['pod-crasher', ['crasher regular waiting CrashLoopBackOff again']],
  ['pod-creating', ['main regular waiting ContainerCreating again']],
  ['pod-unschedulable', ['main regular waiting Unschedulable again']],
  ['pod-odd-exit', ['odd regular terminated 0 done']],
  [
    'pod-init-fails',
    ['check init waiting CrashLoopBackOff again', 'main regular waiting PodInitializing again'],
  ],
  [
    'pod-init-stuck',
    [
      'first init running  again',
      'second init waiting PodInitializing again',
      'main regular waiting PodInitializing again',
    ],
  ],
])('%s as a cluster gave it', (name, expected) => {
  expect(outline(name)).toEqual(expected);
});

test('the run before is known by its ID', () => {
  const [main] = recorded('pod-once-crashed').containers;
  expect(main).toMatchObject({
    restartCount: 1,
    state: { kind: 'running', containerId: expect.stringContaining('e1b4ff2b90d3') },
    lastContainerId: expect.stringContaining('999a292d8539'),
  });
});

describe('whether a container may run again', () => {
  const ended = (exitCode: number) => ({ terminated: { exitCode, containerID: 'containerd://x' } });
  const running = { running: { startedAt: '2026-11-21T10:00:00Z' } };
  const waiting = { waiting: { reason: 'CrashLoopBackOff' } };

  test.each([
    ['Always', running, {}, true],
    ['Always', ended(0), {}, true],
    ['Always', waiting, {}, true],
    ['OnFailure', running, {}, true],
    ['OnFailure', ended(1), {}, true],
    ['OnFailure', ended(0), {}, false],
    ['Never', running, {}, false],
    ['Never', ended(1), {}, false],
    ['Never', waiting, {}, true],
    ['Always', ended(1), { phase: 'Failed' }, false],
    ['Never', waiting, { phase: 'Failed' }, false],
    ['Always', running, { deleting: true }, false],
  ])(
    '%s, %j, %j: %s',
    (restartPolicy, state, { phase, deleting }: { phase?: string; deleting?: boolean }, expected) => {
      const given = pod('web', {
        restartPolicy,
        phase: phase ?? 'Running',
        status: { containerStatuses: [{ name: 'app', state }] },
      });
      const metadata = deleting
        ? { ...given.metadata, deletionTimestamp: '2026-11-21T10:00:00Z' }
        : given.metadata;
      expect(readPod({ ...given, metadata }).containers[0]?.mayRestart).toBe(expected);
    },
  );

  test.each([
    ['init', 0, false],
    ['init', 1, true],
    ['sidecars', 0, true],
  ])('%s that ended with %i: %s', (kind, exitCode, expected) => {
    const status = { initContainerStatuses: [{ name: 'first', state: ended(exitCode) }] };
    const given = pod('web', { [kind]: ['first'], status });
    expect(readPod(given).containers[0]?.mayRestart).toBe(expected);
  });

  test('rules of the container go by exit code', () => {
    const given = pod('web', {
      restartPolicy: 'Never',
      status: { containerStatuses: [{ name: 'app', state: ended(42) }] },
    });
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
    const spec = { ...given.spec, containers: [{ name: 'app', restartPolicyRules: rules }] };
    const ruled = { ...given, spec };
    expect(readPod(ruled).containers[0]?.mayRestart).toBe(true);
  });
});

test('an evicted pod without statuses says why', () => {
  const status = { containerStatuses: undefined, reason: 'Evicted', message: 'low on memory' };
  expect(readPod(pod('web', { phase: 'Failed', status })).containers[0]?.state).toEqual({
    kind: 'waiting',
    reason: 'Evicted',
    message: 'low on memory',
  });
});

test.each([
  {},
  { spec: null, status: null },
  { spec: { containers: 'x', initContainers: [null, 1, {}] }, status: { containerStatuses: {} } },
  {
    spec: { containers: [{ name: '__proto__' }] },
    status: { containerStatuses: [{ name: '__proto__', state: 3 }] },
  },
])('a pod of another shape is read as far as it goes: %j', (more) => {
  const metadata = { name: 'web', uid: 'u', resourceVersion: '1', ownerReferences: null, labels: 'x' };
  const read = readPod({ metadata, ...more } as unknown as KubeObject);
  expect(read.owners).toEqual([]);
  expect(read.containers.length).toBeLessThan(2);
});
