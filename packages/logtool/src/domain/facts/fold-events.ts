import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Fact, type FactKind, type FactOf, isAtLeast, isStart } from './fact.ts';

type EventFact = FactOf<'event'>;

/** When an Event and a status certainly describe the same occurrence. */
interface FoldRule {
  readonly kinds: readonly FactKind[];
  /** The Event's reason; absent: the status has the same reason. */
  readonly reason?: string;
  readonly hasSameMessage?: true;
  /** Minimum and maximum seconds from the status to the Event; absent: it happens once in the life of its subject. */
  readonly within?: readonly [number, number];
  /** Match the Event by its first time; otherwise by its last. */
  readonly byFirst?: true;
}

/** The clocks of two machines write the status and the Event, and each time is truncated to a second. */
const ABOUT = [-1, 1] as const;

const RULES: readonly FoldRule[] = [
  // A pod is bound once (k8s.io/kubernetes/pkg/registry/core/pod/storage, assignPod).
  { kinds: ['scheduled'], reason: 'Scheduled', within: ABOUT },
  // The kubelet reports this after the runtime has started the container, by the same clock (pkg/kubelet/kuberuntime).
  { kinds: ['started', 'restarted'], reason: 'Started', within: [0, 1] },
  {
    kinds: ['unschedulable'],
    reason: 'FailedScheduling',
    hasSameMessage: true,
    within: ABOUT,
    byFirst: true,
  },
  { kinds: ['preempted'], reason: 'Preempted', within: ABOUT },
  // A pod is evicted once, and its status keeps the message (pkg/kubelet/eviction, evictPod).
  { kinds: ['evicted'], reason: 'Evicted', hasSameMessage: true },
  { kinds: ['workload-condition'], hasSameMessage: true, within: ABOUT },
];

/**
 * Returns one fact for one occurrence: merges an Event that repeats the status of its subject into that status, with
 * its count, its message and its more precise time. Does so only if certain: what could be two occurrences stays two
 * facts.
 */
export function foldEvents(facts: readonly Fact[]): readonly Fact[] {
  const statuses = new StatusIndex(facts.filter(({ kind }) => kind !== 'event'));
  const eventsOf = new Map<Fact, EventFact[]>();
  for (const fact of facts) {
    const status = fact.kind === 'event' ? statuses.statusOf(fact) : undefined;
    if (fact.kind !== 'event' || status === undefined) continue;
    const events = eventsOf.get(status);
    if (events === undefined) eventsOf.set(status, [fact]);
    else events.push(fact);
  }
  const folded = new Map<Fact, EventFact>();
  // At most one of several Events describes this occurrence, and nothing identifies which.
  for (const [status, [event, second]] of eventsOf)
    if (event !== undefined && second === undefined) folded.set(status, event);
  const gone = new Set<Fact>(folded.values());
  const deleters = new Deleters(facts);
  return facts.flatMap((fact) => {
    if (gone.has(fact)) return [];
    const event = folded.get(fact);
    return deleters.added(event === undefined ? fact : foldInto(fact, event));
  });
}

/**
 * How controllers report that they deleted a pod: pkg/controller/controller_utils.go (DeletePod) and
 * pkg/controller/statefulset/stateful_pod_control.go (recordPodEvent).
 */
const DELETED_POD = /^(?:Deleted pod: (\S+)|delete Pod (\S+) in StatefulSet \S+ successful)$/;
/** Seconds from the request to the report of it, by the clocks of two machines. A StatefulSet reuses names. */
const REPORTED_WITHIN = [-5, 10] as const;

/** The controllers that report that they deleted a pod. */
class Deleters {
  readonly #reports = new Map<string, EventFact[]>();

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) {
      if (fact.kind !== 'event' || fact.reason !== 'SuccessfulDelete') continue;
      const [, name, ofSet] = DELETED_POD.exec(fact.message) ?? [];
      const key = `${fact.subject.namespace}/${name ?? ofSet}`;
      this.#reports.set(key, [...(this.#reports.get(key) ?? []), fact]);
    }
  }

  /** Returns the fact, a deletion with the controller that reports it. */
  added(fact: Fact): Fact {
    if (fact.kind !== 'deleted' || fact.data.by !== undefined || fact.bound !== undefined) return fact;
    const { namespace, name } = fact.subject;
    const report = this.#reports.get(`${namespace}/${name}`)?.find(({ at, until = at }) => {
      const seconds = until.seconds - fact.at.seconds;
      return seconds >= REPORTED_WITHIN[0] && seconds <= REPORTED_WITHIN[1];
    });
    return report === undefined ? fact : { ...fact, data: { ...fact.data, by: report.data.controller } };
  }
}

/** Whether a status that repeats this Event may still come. */
export function hasStatus({ reason, subject }: EventFact): boolean {
  return subject.kind === 'Pod' && RULES.some((rule) => rule.reason === reason);
}

/** Facts other than Events, by subject. */
export class StatusIndex {
  readonly #bySubject = new Map<string, Fact[]>();

  constructor(statuses: readonly Fact[]) {
    for (const status of statuses) {
      const key = keyOf(status);
      const others = this.#bySubject.get(key);
      if (others === undefined) this.#bySubject.set(key, [status]);
      else others.push(status);
    }
  }

  /** Returns the one status that an Event repeats; undefined if none or several may match. */
  statusOf(event: EventFact): Fact | undefined {
    const found = (this.#bySubject.get(keyOf(event)) ?? []).filter((status) => isSame(status, event));
    return found.length === 1 ? found[0] : undefined;
  }
}

/** Returns the status, extended by what only the Event knows. */
export function foldInto(status: Fact, event: EventFact): Fact {
  return {
    ...status,
    ...timesOf(status, event),
    severity: isAtLeast(event, status.severity) ? event.severity : status.severity,
    message: status.message || event.message,
    count: event.count,
  };
}

function timesOf(
  status: Fact,
  { at, until, precision }: EventFact,
): Pick<Fact, 'at' | 'precision' | 'bound' | 'until' | 'since'> {
  const own = { at: status.at, precision: status.precision, bound: status.bound };
  // A run has the time of its start, whatever the Event counted earlier.
  if (isStart(status.kind)) return { ...own, since: until === undefined ? undefined : at };
  if (until !== undefined) return { ...own, until };
  const isBetter = status.bound !== undefined || (precision !== 's' && at.seconds === status.at.seconds);
  return isBetter ? { at, precision, bound: undefined } : own;
}

function keyOf({ subject: { kind, uid, container } }: Fact): string {
  return `${kind} ${uid} ${container ?? ''}`;
}

function isSame(status: Fact, event: EventFact): boolean {
  if (status.subject.uid === '') return false;
  return RULES.some(
    (rule) =>
      rule.kinds.includes(status.kind) &&
      event.reason === (rule.reason ?? status.reason) &&
      (rule.hasSameMessage === undefined || isSameText(status.message, event.message)) &&
      isInTime(rule, status.at, rule.byFirst ? event.at : (event.until ?? event.at)),
  );
}

function isSameText(a: string, b: string): boolean {
  return a !== '' && a === b;
}

function isInTime({ within }: FoldRule, status: Timestamp, event: Timestamp): boolean {
  if (within === undefined) return true;
  const seconds = event.seconds - status.seconds;
  return seconds >= within[0] && seconds <= within[1];
}

/** Whether folding an Event into a status moved it, as for a continuing series. */
export function hasMoved(before: Fact, after: Fact): boolean {
  return compareTimestamps(before.until ?? before.at, after.until ?? after.at) < 0;
}
