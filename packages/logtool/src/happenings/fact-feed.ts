import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareFacts, type Fact, positionOf } from '../domain/facts/fact.ts';
import { foldEvents } from '../domain/facts/fold-events.ts';
import type { FoundObject } from '../resolve/resolve.ts';
import { EventReaders } from './event-readers.ts';
import type { FactContext, FactNotice } from './fact-context.ts';
import { factsOfPod } from './facts-of-pod.ts';
import { LiveFold } from './live-fold.ts';
import { NodeReader } from './node-reader.ts';
import { isCronJob, isWorkload } from './resources.ts';
import { RolloutTimes } from './rollout-times.ts';
import { Scope } from './scope.ts';
import { WorkloadReader } from './workload-reader.ts';

/** What a consumer of facts receives. */
export type FactFrame =
  /**
   * In order. Before `read`, at most one such frame with everything known. A later fact with the same ID
   * replaces an earlier one.
   */
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  | (FactNotice & { readonly type: 'notice' })
  /**
   * Everything the cluster has now was read, if permitted. Later facts happened since, or became known.
   * `eventsSince`: the time from which all Events were read; the cluster has none from before (or too many);
   * absent if it has none.
   */
  | { readonly type: 'read'; readonly eventsSince?: Timestamp | undefined };

export interface FactQuery {
  readonly follow: boolean;
  /** Omits facts that (last) happened earlier. */
  readonly from?: Timestamp | undefined;
  /** Omits facts that happened later. */
  readonly to?: Timestamp | undefined;
  /**
   * Merges facts about the same occurrence, for people: an Event that repeats a status becomes part of it.
   * The clock measures how long an Event waits for its status in a follow. Absent: yields both as read.
   */
  readonly fold?: { readonly clock: Clock } | undefined;
  /**
   * The only namespaces whose contents the user may see (SourcePlan.confinedTo). Facts about nodes are then
   * omitted.
   */
  readonly confinedTo?: readonly string[] | undefined;
  /** The sources are all pods of their namespaces (areAllPods). */
  readonly hasAllPods?: boolean | undefined;
}

/** Facts that wait for the consumer; above this, logtool requests no more from the cluster. */
const MAX_WAITING = 2_000;
/** IDs of yielded facts, kept so that none is yielded twice. */
const MAX_GIVEN = 50_000;

/**
 * Collects the facts about the objects that a resolution finds: from the pods that it reads anyway, and from
 * Events, workloads and nodes, which this reads in addition. Call `see` for each object, `synced` once, and
 * read the frames.
 */
export class FactFeed<Report = never> {
  readonly #context: FactContext;
  readonly #query: FactQuery;
  readonly #scope: Scope;
  readonly #stop = new AbortController();
  readonly #workloads: WorkloadReader;
  readonly #nodes: NodeReader;
  readonly #events: EventReaders;
  readonly #given = new Map<string, string>();
  readonly #frames: (FactFrame | Report)[] = [];
  #waiting = 0;
  readonly #reported = new Set<string>();
  /** By ID, until everything is read. */
  #early: Map<string, Fact> | undefined = new Map();
  readonly #live: LiveFold | undefined;
  readonly #rollouts: RolloutTimes;
  #failure: unknown;
  #isSynced = false;
  #isOver = false;
  #isChecking = false;
  #checkedSize = 0;
  #wake: (() => void) | undefined;
  #roomFor: (() => void)[] = [];

  constructor(
    { client, signal }: { readonly client: KubeClient; readonly signal: AbortSignal },
    query: FactQuery,
  ) {
    this.#query = query;
    this.#scope = new Scope(query.confinedTo, query.hasAllPods);
    this.#rollouts = new RolloutTimes(query.fold?.clock, (facts) => this.#giveLive(facts));
    this.#live = query.fold && new LiveFold(query.fold.clock, (facts) => this.#pushFacts(facts));
    this.#context = {
      client,
      signal: AbortSignal.any([signal, this.#stop.signal]),
      follow: query.follow,
      scope: this.#scope,
      give: (facts) => this.#give(facts),
      notice: (notice) => this.#notice(notice),
      room: () => this.room(),
    };
    this.#workloads = new WorkloadReader(this.#context);
    this.#nodes = new NodeReader(this.#context);
    this.#events = new EventReaders(this.#context);
    this.#context.signal.addEventListener('abort', () => this.#end(), { once: true });
  }

  /** Takes an object that the resolution found, in its current state. */
  see({ type, object, isGone }: FoundObject): void {
    if (!this.#scope.allows(object)) return;
    if (type.plural === PODS.plural && type.group === PODS.group) {
      this.#scope.addPod(object);
      this.#workloads.seeOwned(object);
      this.#give(factsOfPod(object, isGone));
    } else if (isWorkload(type) || isCronJob(type)) this.#workloads.seeNamed(type, object);
    else this.#scope.addWorkload(type.kind, object);
    if (this.#isSynced && this.#query.follow) void this.#recheck();
  }

  /** Reads the events of namespaces whatever is in them. */
  watchOver(namespaces: readonly string[]): void {
    this.#scope.addNamespaces(namespaces);
  }

  /** The resolution has found all objects that exist now: reads the rest. */
  synced(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    void this.#readAll();
  }

  /** Passes on a report of the resolution. */
  pass(report: Report): void {
    this.#frames.push(report);
    this.#wake?.();
  }

  /** Resolves when the consumer has taken enough facts to accept more. */
  async room(): Promise<void> {
    while (this.#waiting > MAX_WAITING && !this.#isOver)
      await new Promise<void>((resolve) => this.#roomFor.push(resolve));
  }

  /** Ends when everything is read; with follow, when the signal aborts or the consumer leaves. */
  async *frames(): AsyncGenerator<FactFrame | Report, void, undefined> {
    try {
      for (;;) {
        yield* this.#take();
        if (this.#frames.length > 0) continue;
        if (this.#failure !== undefined && !this.#context.signal.aborted) throw this.#failure;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#stop.abort();
    }
  }

  #take(): readonly (FactFrame | Report)[] {
    this.#waiting = 0;
    for (const proceed of this.#roomFor.splice(0)) proceed();
    return this.#frames.splice(0);
  }

  async #readAll(): Promise<void> {
    try {
      // Owners and revisions determine which events are about the workload.
      await this.#workloads.learn();
      const nodes = new Promise<void>((resolve) => void this.#nodes.run(resolve));
      await Promise.all([nodes, this.#events.start()]);
      if (this.#scope.hasAllPods) await this.#readWithoutPods();
    } catch (error) {
      this.#failure = error;
      return this.#end();
    }
    this.#checkedSize = this.#scope.size;
    this.#announce();
    if (!this.#query.follow) this.#end();
  }

  /** Reads the workloads without pods that events report: where all pods are in view, these are missing ones. */
  async #readWithoutPods(): Promise<void> {
    for (const subject of this.#events.withoutPods()) this.#workloads.seeReported(subject);
    if (!this.#workloads.hasUnread) return;
    await this.#workloads.learn();
    await this.#events.recheck();
  }

  /** More is in view: runs one check at a time, and another if more arrived meanwhile. */
  async #recheck(): Promise<void> {
    if (this.#isChecking || this.#early !== undefined) return;
    this.#isChecking = true;
    try {
      while (this.#workloads.hasUnread || this.#scope.size !== this.#checkedSize) {
        this.#checkedSize = this.#scope.size;
        await this.#workloads.learn();
        this.#nodes.recheck();
        void this.#events.start();
        await this.#events.recheck();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  #give(facts: readonly Fact[]): void {
    const dated = this.#early === undefined ? this.#rollouts.take(facts) : facts;
    // A rollout may still get a later time.
    const isWanted = (fact: Fact) =>
      this.#isInWindow(fact) || (this.#early !== undefined && fact.kind === 'rollout');
    const fresh = dated.filter((fact) => isWanted(fact) && this.#isNew(fact));
    if (fresh.length === 0) return;
    if (this.#early === undefined) this.#giveLive(fresh);
    else for (const fact of fresh) this.#early.set(fact.id, fact);
  }

  #giveLive(facts: readonly Fact[]): void {
    if (this.#live === undefined) this.#pushFacts(facts);
    else this.#live.take(facts);
  }

  #pushFacts(facts: readonly Fact[]): void {
    this.#push({ type: 'facts', facts: [...facts].sort(compareFacts) });
  }

  #isInWindow(fact: Fact): boolean {
    const { from, to } = this.#query;
    if (to !== undefined && compareTimestamps(fact.at, to) > 0) return false;
    return from === undefined || compareTimestamps(positionOf(fact), from) >= 0;
  }

  #isNew(fact: Fact): boolean {
    const { id, count, until, reason, message } = fact;
    const progress =
      fact.kind === 'rollout' ? `${fact.data.isOver} ${fact.data.lastedMs} ${fact.at.seconds}` : '';
    const state = `${count} ${until?.seconds}.${until?.nanos} ${reason} ${message} ${progress}`;
    if (this.#given.get(id) === state) return false;
    this.#given.set(id, state);
    if (this.#given.size > MAX_GIVEN) {
      const [oldest] = this.#given.keys();
      if (oldest !== undefined) this.#given.delete(oldest);
    }
    return true;
  }

  #announce(): void {
    if (this.#early === undefined) return;
    const known = this.#rollouts.dated([...this.#early.values()]).filter((fact) => this.#isInWindow(fact));
    this.#early = undefined;
    const facts = this.#query.fold === undefined ? known : foldEvents(known);
    this.#live?.know(facts);
    if (facts.length > 0) this.#pushFacts(facts);
    this.#push({ type: 'read', eventsSince: this.#events.since() });
    if (this.#query.follow) void this.#recheck();
  }

  #notice(notice: FactNotice): void {
    const key = JSON.stringify([notice.code, notice.data, notice.cause?.code, notice.cause?.data]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#push({ type: 'notice', ...notice });
  }

  #push(frame: FactFrame): void {
    this.#frames.push(frame);
    if (frame.type === 'facts') this.#waiting += frame.facts.length;
    this.#wake?.();
  }

  #end(): void {
    this.#live?.stop();
    this.#rollouts.stop();
    this.#isOver = true;
    for (const proceed of this.#roomFor.splice(0)) proceed();
    this.#wake?.();
  }
}
