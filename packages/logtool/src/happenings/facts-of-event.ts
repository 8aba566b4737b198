import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject } from '../domain/facts/fact.ts';
import { countOf, textOf } from '../resolve/pods/read-json.ts';
import { latestOf, timeOf } from './facts-of-pod.ts';

type Json = Readonly<Record<string, unknown>>;

/** IDs of facts from Events are this prefix and the UID. */
export const ID_PREFIX = 'event/';

/** An object that a controller created, scaled or deleted; it may be gone. */
export interface Made {
  readonly kind: 'Pod' | 'Job' | 'ReplicaSet';
  readonly name: string;
}

/** An Event as a fact, with what else determines whether it is about the workload. */
export interface EventFact {
  readonly fact: Fact;
  /** What the message of a controller's event names as its own; otherwise undefined. */
  readonly made: Made | undefined;
}

/**
 * Reads an Event of events.k8s.io/v1 or core/v1: the same object with different field names
 * (test/recorded/list/events.json, eventsk8s.json). A series has the times of its first and last event.
 */
export function readEvent(object: KubeObject): EventFact {
  const event = object as KubeObject & Json;
  const times = timesOf(event);
  const reason = textOf(event.reason) ?? '';
  const message = textOf(event.note) ?? textOf(event.message) ?? '';
  const type = textOf(event.type) ?? '';
  const fact: Fact = {
    id: `${ID_PREFIX}${object.metadata.uid}`,
    kind: 'event',
    ...times,
    severity: type === 'Warning' ? 'warning' : 'normal',
    subject: subjectOf(event),
    reason,
    message,
    source: 'event',
    data: { controller: controllerOf(event), type, ...nodeOf(event) },
  };
  return { fact, made: madeBy(reason, withoutCombined(message)) };
}

/**
 * Returns the message of an Event without the prefix that a component adds from the tenth similar one on: the Event then
 * counts the later ones, with the text of the last (k8s.io/client-go/tools/record/events_cache.go, EventAggregate).
 */
export function withoutCombined(message: string): string {
  return message.replace(/^\(combined from similar events\): /, '');
}

/**
 * Messages that name an object of the reporting controller: pkg/controller/controller_utils.go (createPods, DeletePod);
 * pkg/controller/statefulset (recordPodEvent); pkg/controller/cronjob (syncCronJob, deleteJob);
 * pkg/controller/deployment (scaleReplicaSet).
 */
const OWN: readonly (readonly [reason: RegExp, message: RegExp, kind: Made['kind']])[] = [
  [/^Successful(?:Create|Delete)$/, /^(?:Created|Deleted) pod: (\S+)$/, 'Pod'],
  [/^Successful(?:Create|Delete)$/, /^(?:create|delete) Pod (\S+) in StatefulSet \S+ successful$/, 'Pod'],
  [/^Successful(?:Create|Delete)$/, /^(?:Created|Deleted) job (\S+)$/, 'Job'],
  [/^ScalingReplicaSet$/, /^Scaled (?:up|down) replica set (\S+) /, 'ReplicaSet'],
];

function madeBy(reason: string, message: string): Made | undefined {
  for (const [reasons, pattern, kind] of OWN) {
    const name = reasons.test(reason) ? pattern.exec(message)?.[1] : undefined;
    if (name !== undefined) return { kind, name };
  }
  return undefined;
}

function timesOf(event: KubeObject & Json): Pick<Fact, 'at' | 'until' | 'precision' | 'count'> {
  const series = asRecord(event.series);
  const first = timeOf(event.deprecatedFirstTimestamp) ?? timeOf(event.firstTimestamp);
  const last = timeOf(event.deprecatedLastTimestamp) ?? timeOf(event.lastTimestamp);
  // Times with microseconds; an event has either these or the others.
  const exact = timeOf(event.eventTime);
  const exactLast = timeOf(series?.lastObservedTime);
  const created = timeOf(event.metadata.creationTimestamp);
  const at = exact ?? first ?? last ?? created ?? { seconds: 0, nanos: 0 };
  const until = latestOf([at, last, exactLast]);
  const count = Math.max(
    1,
    countOf(series?.count) ?? countOf(event.deprecatedCount) ?? countOf(event.count) ?? 1,
  );
  const isExact = isSame(until, exactLast) || (isSame(until, exact) && !isSame(until, last));
  return { at, until: isSame(at, until) ? undefined : until, precision: isExact ? 'us' : 's', count };
}

function isSame(a: Timestamp, b: Timestamp | undefined): boolean {
  return b !== undefined && compareTimestamps(a, b) === 0;
}

function subjectOf(event: Json): FactSubject {
  const about = asRecord(event.regarding) ?? asRecord(event.involvedObject) ?? {};
  const container = /\{([^{}]+)\}$/.exec(textOf(about.fieldPath) ?? '')?.[1];
  return {
    kind: textOf(about.kind) ?? '',
    namespace: textOf(about.namespace) ?? '',
    name: textOf(about.name) ?? '',
    uid: textOf(about.uid) ?? '',
    ...(container === undefined ? {} : { container }),
  };
}

function controllerOf(event: Json): string {
  const source = asRecord(event.deprecatedSource) ?? asRecord(event.source);
  return (
    textOf(event.reportingController) ?? textOf(event.reportingComponent) ?? textOf(source?.component) ?? ''
  );
}

/** Only a component that runs on a node names a host: a kubelet its own node. */
function nodeOf(event: Json): { readonly node?: string } {
  const source = asRecord(event.deprecatedSource) ?? asRecord(event.source);
  const host = textOf(source?.host);
  return controllerOf(event) === 'kubelet' && host !== undefined ? { node: host } : {};
}

const KEPT = [
  'reason',
  'note',
  'message',
  'type',
  'regarding',
  'involvedObject',
  'series',
  'eventTime',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reportingController',
  'reportingComponent',
  'deprecatedSource',
  'source',
] as const;

/** Returns an Event with only the fields that `readEvent` needs: managed fields are a large part of it. */
export function slimEvent(object: KubeObject): KubeObject {
  const { uid, name, namespace, resourceVersion, creationTimestamp } = object.metadata;
  const kept: Record<string, unknown> = {};
  for (const name of KEPT) {
    const value = (object as KubeObject & Json)[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return { ...kept, metadata: { uid, name, namespace, resourceVersion, creationTimestamp } } as KubeObject;
}
