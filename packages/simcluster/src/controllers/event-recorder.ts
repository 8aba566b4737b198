import type { StoredObject } from '../store/store.ts';
import { type Cluster, createObject } from './cluster.ts';
import { timeText } from './objects.ts';

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `kubelet`, `default-scheduler`, `deployment-controller`... */
  readonly component: string;
  readonly host?: string | undefined;
  readonly fieldPath?: string | undefined;
}

/** An Event of the API; the same text again counts up instead. The cluster forgets each after an hour. */
export function recordEvent(cluster: Cluster, about: StoredObject, event: EventText): void {
  const namespace = about.metadata.namespace ?? 'default';
  const text = [about.kind, about.metadata.uid, event.reason, event.message, event.fieldPath ?? ''].join('|');
  const name = `${about.metadata.name}.${cluster.random('event', text).hex(16)}`;
  const now = timeText(cluster.clock.now());
  const known = cluster.store.get('events', namespace, name);
  if (known !== undefined) {
    cluster.store.replace('events', known, { count: Number(known.count ?? 1) + 1, lastTimestamp: now });
    return;
  }
  createObject(cluster, 'events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: {
      kind: about.kind,
      namespace: about.metadata.namespace,
      name: about.metadata.name,
      uid: about.metadata.uid,
      apiVersion: about.apiVersion,
      resourceVersion: about.metadata.resourceVersion,
      ...(event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath }),
    },
    reason: event.reason,
    message: event.message,
    source:
      event.host === undefined
        ? { component: event.component }
        : { component: event.component, host: event.host },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type: event.type,
    eventTime: null,
    reportingComponent: event.component,
    reportingInstance: event.host ?? '',
  });
  forgetLater(cluster, namespace, name);
}

const EVENT_LIFE_MS = 3_600_000;

interface Aging {
  readonly namespace: string;
  readonly name: string;
  readonly dueMs: number;
}

/** Events by the time at which they may be forgotten. All live equally long, so one timer does for all of them. */
const aging = new WeakMap<Cluster, Aging[]>();

function forgetLater(cluster: Cluster, namespace: string, name: string): void {
  const dueMs = cluster.clock.now() + EVENT_LIFE_MS;
  const waiting = aging.get(cluster);
  if (waiting !== undefined) {
    waiting.push({ namespace, name, dueMs });
    return;
  }
  aging.set(cluster, [{ namespace, name, dueMs }]);
  cluster.clock.after(EVENT_LIFE_MS, () => forgetDue(cluster));
}

function forgetDue(cluster: Cluster): void {
  const waiting = aging.get(cluster) ?? [];
  const nowMs = cluster.clock.now();
  let passed = 0;
  for (const { namespace, name, dueMs } of waiting) {
    if (dueMs > nowMs) break;
    passed++;
    forget(cluster, namespace, name);
  }
  waiting.splice(0, passed);
  const next = waiting[0];
  if (next === undefined) aging.delete(cluster);
  else cluster.clock.after(next.dueMs - nowMs, () => forgetDue(cluster));
}

/** One that was counted up meanwhile lives on from then. */
function forget(cluster: Cluster, namespace: string, name: string): void {
  const event = cluster.store.get('events', namespace, name);
  if (event === undefined) return;
  const leftMs = Date.parse(String(event.lastTimestamp)) + EVENT_LIFE_MS - cluster.clock.now();
  if (leftMs > 0) cluster.clock.after(leftMs, () => forget(cluster, namespace, name));
  else cluster.store.remove('events', namespace, name);
}
