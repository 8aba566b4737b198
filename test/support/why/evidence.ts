import type { Fact } from '@logtool/logtool/src/domain/facts/fact.ts';
import type { Evidence } from '@logtool/logtool/src/happenings/why/evidence.ts';
import type { ContainerNow, PodNow } from '@logtool/logtool/src/happenings/why/pod-now.ts';

/** Returns the pod `web-1` in its current state, with defaults for what a test does not set. */
export function podNow(values: Partial<PodNow> = {}): PodNow {
  return {
    subject: { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' },
    node: 'node-1',
    createdAt: { seconds: 1_000, nanos: 0 },
    phase: 'Running',
    isReady: false,
    readySince: undefined,
    isOver: false,
    isDeleting: false,
    isOverdue: false,
    finalizers: [],
    containers: [containerNow()],
    graceSeconds: 30,
    revision: undefined,
    owner: { kind: 'ReplicaSet', name: 'web' },
    workload: { ownerKind: 'ReplicaSet', name: 'web' },
    ...values,
  };
}

/** Returns the container `app`, which runs, with defaults for what a test does not set. */
export function containerNow(values: Partial<ContainerNow> = {}): ContainerNow {
  return {
    name: 'app',
    restarts: 0,
    isInit: false,
    isRunning: true,
    runsSince: { seconds: 1_000, nanos: 0 },
    isReady: false,
    isStarted: true,
    waiting: undefined,
    probeSeconds: {},
    probeMinSeconds: {},
    probeThresholds: {},
    ...values,
  };
}

export function evidenceOf(facts: readonly Fact[], values: Partial<Evidence> = {}): Evidence {
  return {
    facts,
    pods: [podNow()],
    subject: undefined,
    lines: new Map(),
    errors: [],
    unread: new Set(),
    missingEvents: [],
    eventsSince: { seconds: 0, nanos: 0 },
    wanted: new Map(),
    now: { seconds: 10_000, nanos: 0 },
    ...values,
  };
}
