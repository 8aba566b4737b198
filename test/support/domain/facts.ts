import type { Fact, FactOf, FactSubject } from '@logtool/logtool/src/domain/facts/fact.ts';

const POD: FactSubject = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1', container: 'app' };

const BASE = {
  at: { seconds: 1, nanos: 0 },
  precision: 's',
  severity: 'normal',
  subject: POD,
  reason: '',
  message: '',
  count: 1,
} as const;

/** Creates an exit of a run, with default values for what a test does not check. */
export function exitFact(values: Partial<FactOf<'exited'>>): Fact {
  const data = { exitCode: 1, restarts: 0, isInit: false, wasDeleted: false };
  return { ...BASE, id: 'exit', kind: 'exited', data, source: 'pod', ...values };
}

/** Creates a start of a run. */
export function startFact(values: Partial<FactOf<'restarted'>>): Fact {
  return { ...BASE, id: 'start', kind: 'restarted', data: { restarts: 1 }, source: 'pod', ...values };
}

/** Creates an Event of the cluster. */
export function eventFact(values: Partial<FactOf<'event'>>): Fact {
  const data = { controller: 'kubelet', type: 'Normal' };
  return { ...BASE, id: 'event', kind: 'event', data, source: 'event', ...values };
}

/** Creates a rollout of a workload. */
export function rolloutFact(values: Partial<FactOf<'rollout'>>): Fact {
  const data = { revision: 1, images: [] };
  return { ...BASE, id: 'rollout', kind: 'rollout', data, source: 'workload', ...values };
}
