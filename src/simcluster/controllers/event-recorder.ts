import type { StoredObject } from '../store.ts';
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
  const known = cluster.store.update('events', namespace, name, (object) => {
    object.count = Number(object.count ?? 1) + 1;
    object.lastTimestamp = now;
    return undefined;
  });
  if (known !== undefined) return;
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
  cluster.clock.after(EVENT_LIFE_MS, () => forget(cluster, namespace, name));
}

const EVENT_LIFE_MS = 3_600_000;

function forget(cluster: Cluster, namespace: string, name: string): void {
  const event = cluster.store.get('events', namespace, name);
  if (event === undefined) return;
  const last = Date.parse(String(event.lastTimestamp));
  const left = last + EVENT_LIFE_MS - cluster.clock.now();
  if (left > 0) cluster.clock.after(left, () => forget(cluster, namespace, name));
  else cluster.store.remove('events', namespace, name);
}
