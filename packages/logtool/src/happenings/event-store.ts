import type { KubeObject } from '@logtool/kube/src/client.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareFacts, type Fact, type FactSubject } from '../domain/facts/fact.ts';
import { type EventFact, ID_PREFIX, readEvent } from './facts-of-event.ts';
import { scaledAway } from './scaled-away.ts';
import type { Scope } from './scope.ts';

/** Maximum events to keep of one namespace. */
export const MAX_EVENTS = 10_000;
/** Removes events only when this many exceed the limit, so that a full store is not sorted for each event. */
const SLACK = 1_000;

/**
 * Events that controllers could not create pods, or that the pods of a Job were stopped (pkg/controller/controller_utils.go;
 * pkg/controller/statefulset; pkg/controller/cronjob; pkg/controller/deployment; pkg/controller/job).
 */
const POD_LOSSES: ReadonlySet<string> = new Set([
  'FailedCreate',
  'ReplicaSetCreateError',
  'DeadlineExceeded',
  'BackoffLimitExceeded',
]);

/** Nothing reports that a StatefulSet is scaled to 0 but the deletions of its pods. */
function isPodLoss({ reason, subject }: Fact): boolean {
  return POD_LOSSES.has(reason) || (reason === 'SuccessfulDelete' && subject.kind === 'StatefulSet');
}

/** The newest events of a namespace; those about objects in view are facts. */
export class EventStore {
  readonly #scope: Scope;
  #events = new Map<string, EventFact>();
  /** Whether events were dropped. */
  isCut = false;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Removes events that are missing from a new list. */
  retain(uids: ReadonlySet<string>): void {
    for (const id of this.#events.keys()) if (!uids.has(id.slice(ID_PREFIX.length))) this.#events.delete(id);
  }

  /** Returns the event with a UID, if kept. */
  get(uid: string): EventFact | undefined {
    return this.#events.get(`${ID_PREFIX}${uid}`);
  }

  put(object: KubeObject): EventFact {
    const event = readEvent(object);
    this.#events.set(event.fact.id, event);
    if (this.#events.size >= MAX_EVENTS + SLACK) this.#cut();
    return event;
  }

  delete(object: KubeObject): void {
    this.#events.delete(readEvent(object).fact.id);
  }

  /**
   * Returns the events about objects in view. The controllers that created deleted pods identify them. Where all pods
   * are in view, also those that scaled Deployments to 0, which left no pod.
   */
  matching(): readonly Fact[] {
    if (this.#events.size > MAX_EVENTS) this.#cut();
    for (const event of this.#events.values()) this.learn(event);
    const facts = [...this.#events.values()].map(({ fact }) => fact);
    const own = facts.filter(({ subject }) => this.#scope.has(subject));
    if (!this.#scope.hasAllPods) return own;
    return [...own, ...scaledAway(facts.filter(({ subject }) => !this.#scope.has(subject)))];
  }

  /** Learns from an event of a controller in view what it created, scaled or deleted. */
  learn({ fact, made }: EventFact): void {
    if (made === undefined || !this.#scope.has(fact.subject)) return;
    this.#scope.addMade(fact.subject, made);
  }

  /** Returns when the oldest kept event last happened, whatever its subject; undefined if there is none. */
  oldest(): Timestamp | undefined {
    let oldest: Timestamp | undefined;
    for (const { fact } of this.#events.values()) {
      const time = fact.until ?? fact.at;
      if (oldest === undefined || compareTimestamps(time, oldest) < 0) oldest = time;
    }
    return oldest;
  }

  /** Returns the facts about subjects of a kind that are not in view (yet). */
  unknownOf(kind: string): readonly Fact[] {
    return [...this.#events.values()].flatMap(({ fact }) =>
      fact.subject.kind === kind && !this.#scope.has(fact.subject) ? fact : [],
    );
  }

  /** Returns the workloads of which events report that they have no pods, and that are not in view (yet). */
  withoutPods(): readonly FactSubject[] {
    return [...this.#events.values()].flatMap(({ fact }) =>
      isPodLoss(fact) && !this.#scope.has(fact.subject) ? fact.subject : [],
    );
  }

  #cut(): void {
    this.isCut = true;
    const sorted = [...this.#events.values()].sort((a, b) => compareFacts(a.fact, b.fact));
    this.#events = new Map(sorted.slice(-MAX_EVENTS).map((event) => [event.fact.id, event]));
  }
}
