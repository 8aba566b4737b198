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
  /** The component's action: only components that record through events.k8s.io set it. */
  readonly action?: string | undefined;
  /** A second object that the event is about. */
  readonly related?: StoredObject | undefined;
}

/**
 * Components that record through events.k8s.io: their events have a time with microseconds, a series instead of a
 * count, and no source (seen in test/recorded/list/events.json).
 */
const MODERN: ReadonlySet<string> = new Set(['default-scheduler']);

/**
 * Records an API event; the same text again only increases its count. The cluster removes each event after an hour. As
 * in a real cluster, a component with many events about one object is rate-limited.
 */
export function recordEvent(cluster: Cluster, about: StoredObject, event: EventText): void {
  const isModern = MODERN.has(event.component);
  if (!isModern && isSpam(cluster, about, event)) return;
  const namespace = about.metadata.namespace ?? 'default';
  const isCombined = event.component === 'kubelet' && isSimilar(cluster, about, event);
  const message = isCombined ? `(combined from similar events): ${event.message}` : event.message;
  const text = identityOf(about, event, isModern, isCombined);
  const name = `${about.metadata.name}.${cluster.random('event', text).hex(16)}`;
  const known = cluster.store.get('events', namespace, name);
  if (known !== undefined) {
    if (isModern) countSeries(cluster, known);
    else cluster.store.replace('events', known, { message, ...nextCount(cluster, known, event) });
    return;
  }
  createObject(cluster, 'events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: referenceTo(about, event),
    reason: event.reason,
    message,
    ...(isModern ? modernFields(cluster, event) : classicFields(cluster, event)),
    type: event.type,
    ...(event.related === undefined
      ? {}
      : { related: referenceTo(event.related, { ...event, fieldPath: undefined }) }),
    reportingComponent: event.component,
  });
  forgetLater(cluster, namespace, name);
}

/**
 * Returns what makes two events one: client-go's tools/events/event_broadcaster.go (getKey) does not compare texts; its
 * tools/record/events_cache.go does, unless it combines similar ones.
 */
function identityOf(
  { kind, metadata }: StoredObject,
  { type, reason, fieldPath = '', action = '', message }: EventText,
  isModern: boolean,
  isCombined: boolean,
): string {
  const identity = [kind, metadata.uid, type, reason, fieldPath].join('|');
  if (isModern) return `${identity}|${action}`;
  return `${identity}|${isCombined ? 'combined' : message}`;
}

/**
 * Makes an object reference. A kubelet uses its node's name as the UID (pkg/kubelet/kubelet.go, nodeRef); other
 * components use the real UID.
 */
function referenceTo(object: StoredObject, { component, fieldPath }: EventText) {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  if (kind === 'Node') return { kind, name, uid: component === 'kubelet' ? name : uid, apiVersion };
  const reference = { kind, namespace, name, uid, apiVersion, resourceVersion };
  return fieldPath === undefined ? reference : { ...reference, fieldPath };
}

/** Returns the time of the component that records an event: one on a node has the clock of the node. */
function timeOf(cluster: Cluster, { host }: Pick<EventText, 'host'>): string {
  return timeText(cluster.clock.now() + (host === undefined ? 0 : cluster.skewMsOf(host)));
}

function classicFields(cluster: Cluster, event: EventText) {
  const { component, host } = event;
  const now = timeOf(cluster, event);
  return {
    source: host === undefined ? { component } : { component, host },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    eventTime: null,
    reportingInstance: host ?? '',
  };
}

function modernFields(cluster: Cluster, { component, action }: EventText) {
  return {
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: microTime(cluster.clock.now()),
    ...(action === undefined ? {} : { action }),
    reportingInstance: `${component}-control-plane`,
  };
}

function nextCount(cluster: Cluster, { count }: StoredObject, event: EventText) {
  return { count: Number(count ?? 1) + 1, lastTimestamp: timeOf(cluster, event) };
}

/**
 * From so many events on, with different texts and otherwise equal, a component keeps only one more, with the latest
 * text; until none comes for this long (tools/record/events_cache.go, EventAggregate). Here only kubelets do, whose texts
 * have IDs of their own.
 */
const SIMILAR_COUNT = 10;
const SIMILAR_MS = 600_000;

interface Similar {
  readonly texts: Set<string>;
  lastMs: number;
}

const similar = new WeakMap<Cluster, Map<string, Similar>>();

function isSimilar(cluster: Cluster, about: StoredObject, { type, reason, message }: EventText): boolean {
  const known = similar.get(cluster) ?? new Map<string, Similar>();
  similar.set(cluster, known);
  const key = `${about.metadata.uid}|${type}|${reason}`;
  const nowMs = cluster.clock.now();
  const last = known.get(key);
  const texts = last === undefined || nowMs - last.lastMs > SIMILAR_MS ? new Set<string>() : last.texts;
  known.set(key, { texts: texts.add(message), lastMs: nowMs });
  if (texts.size < SIMILAR_COUNT) return false;
  const [first] = texts;
  if (first !== undefined) texts.delete(first);
  return true;
}

interface Series {
  count: number;
  writtenMs: number;
}

/**
 * Maximum time before a component writes the count of a series again (tools/events/event_broadcaster.go, refreshTime).
 */
const SERIES_REFRESH_MS = 1_800_000;
const series = new WeakMap<Cluster, Map<string, Series>>();

/** Counts an event of a series. The component writes the second event, and later the count from time to time. */
function countSeries(cluster: Cluster, event: StoredObject): void {
  const known = series.get(cluster) ?? new Map<string, Series>();
  series.set(cluster, known);
  const { uid } = event.metadata;
  const nowMs = cluster.clock.now();
  const counted = known.get(uid) ?? { count: 1, writtenMs: 0 };
  known.set(uid, counted);
  counted.count++;
  if (nowMs - counted.writtenMs < SERIES_REFRESH_MS) return;
  counted.writtenMs = nowMs;
  cluster.store.replace('events', event, {
    series: { count: counted.count, lastObservedTime: microTime(nowMs) },
  });
}

/** Formats `2026-11-21T10:00:00.123000Z`. */
function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/**
 * How many events one component may record about one object at once, and how long until it may record one more
 * (tools/record/events_cache.go).
 */
const SPAM_BURST = 25;
const SPAM_REFILL_MS = 300_000;

interface Bucket {
  left: number;
  atMs: number;
}

const buckets = new WeakMap<Cluster, Map<string, Bucket>>();

function isSpam(cluster: Cluster, about: StoredObject, { component, host }: EventText): boolean {
  const known = buckets.get(cluster) ?? new Map<string, Bucket>();
  buckets.set(cluster, known);
  const key = `${component}|${host ?? ''}|${about.metadata.uid}`;
  const nowMs = cluster.clock.now();
  const bucket = known.get(key) ?? { left: SPAM_BURST, atMs: nowMs };
  bucket.left = Math.min(SPAM_BURST, bucket.left + (nowMs - bucket.atMs) / SPAM_REFILL_MS);
  bucket.atMs = nowMs;
  known.set(key, bucket);
  if (bucket.left < 1) return true;
  bucket.left -= 1;
  return false;
}

const EVENT_LIFE_MS = 3_600_000;

interface Aging {
  readonly namespace: string;
  readonly name: string;
  readonly dueMs: number;
}

/** Events ordered by when they may be removed. All have the same lifetime, so one timer serves all of them. */
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

/** Removes an event; if its count increased meanwhile, its lifetime starts again from then. */
function forget(cluster: Cluster, namespace: string, name: string): void {
  const event = cluster.store.get('events', namespace, name);
  if (event === undefined) return;
  const { host } = (event.source ?? {}) as { host?: string };
  const skewMs = host === undefined ? 0 : cluster.skewMsOf(host);
  const leftMs = lastMs(event) - skewMs + EVENT_LIFE_MS - cluster.clock.now();
  if (leftMs > 0) cluster.clock.after(leftMs, () => forget(cluster, namespace, name));
  else cluster.store.remove('events', namespace, name);
}

function lastMs({ lastTimestamp, series, eventTime }: StoredObject): number {
  const observed = (series as { lastObservedTime?: string } | undefined)?.lastObservedTime;
  return Date.parse(String(observed ?? lastTimestamp ?? eventTime));
}
