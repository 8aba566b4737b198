import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject } from '../domain/facts/fact.ts';
import { countOf, textOf } from '../resolve/pods/read-json.ts';
import { latestOf, timeOf } from './facts-of-pod.ts';

type Json = Readonly<Record<string, unknown>>;

/** IDs of facts from Events are this prefix and the UID. */
export const ID_PREFIX = 'event/';

/** An object that a controller created; it may be deleted since. */
export interface Made {
  readonly kind: 'Pod' | 'Job';
  readonly name: string;
}

/** An Event as a fact, with what else determines whether it is about the workload. */
export interface EventFact {
  readonly fact: Fact;
  /**
   * The pod that a controller created, or the Job that a CronJob created, from the message of a SuccessfulCreate
   * event; otherwise undefined.
   */
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
    data: { controller: controllerOf(event), type },
  };
  return { fact, made: reason === 'SuccessfulCreate' ? madeBy(message) : undefined };
}

/** pkg/controller/controller_utils.go (createPods); pkg/controller/cronjob (syncCronJob). */
function madeBy(message: string): Made | undefined {
  const [, pod, job] = /^Created (?:pod: (\S+)|job (\S+))$/.exec(message) ?? [];
  if (pod !== undefined) return { kind: 'Pod', name: pod };
  return job === undefined ? undefined : { kind: 'Job', name: job };
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
