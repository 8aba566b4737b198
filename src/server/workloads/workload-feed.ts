import { setMaxListeners } from 'node:events';
import type { WireError } from '../../contract/error.ts';
import { type Clock, sleep } from '../../domain/clock.ts';
import { backoffMs } from '../../kube/backoff.ts';
import { NAMESPACES } from '../../kube/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client.ts';
import { isKubeError } from '../../kube/errors.ts';
import { toWireError } from '../to-wire-error.ts';
import type { Denial, FeedListener } from './feed-listener.ts';
import { FeedState, type StateFrame } from './feed-state.ts';
import { LastEvents } from './last-events.ts';
import { type ObjectEvent, ObjectIntake } from './object-intake.ts';
import { type Kind, TYPES } from './watched-kinds.ts';
import { WorkloadTable } from './workload-table.ts';

/** Changes go out at most this often. */
const FLUSH_MS = 250;
/** Pods that come this soon after the rest are waited for. */
const PODS_MS = 150;
const BACKOFF = { firstMs: 1_000, maxMs: 30_000, random: Math.random };

export interface FeedParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Empty: all. */
  readonly allowedNamespaces: readonly string[];
  /** Called once, when it is closed. */
  readonly onClose: () => void;
}

/**
 * The workloads of one cluster as one person may see them, for all tabs that show them. Looks at whole collections;
 * where that is not allowed, at those of each namespace that is known by name.
 */
export class WorkloadFeed {
  readonly table: WorkloadTable;
  readonly denials: Denial[] = [];
  readonly #parts: FeedParts;
  readonly #intake: ObjectIntake;
  readonly #state: FeedState;
  readonly #listeners = new Set<FeedListener>();
  readonly #abort = new AbortController();
  /** Scopes that had no first answer yet; without events, which nothing waits for. */
  readonly #awaited = new Set<string>();
  readonly #running = new Set<string>();
  /** What ends the present try of a scope. */
  readonly #attempts = new Map<string, AbortController>();
  /** Kinds that cannot be listed in the whole cluster. */
  readonly #split = new Set<Kind>();
  readonly #deniedAt = new Set<string>();
  readonly #namespaces: Set<string>;
  #listed: Promise<void> | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelRest: (() => void) | undefined;
  #cancelListed: (() => void) | undefined;
  #isListed = false;
  #isReady = false;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    setMaxListeners(0, this.#abort.signal);
    const { clock, allowedNamespaces, client } = parts;
    this.#namespaces = new Set(allowedNamespaces.length > 0 ? allowedNamespaces : [client.cluster.namespace]);
    this.#state = new FeedState(clock, (state) => {
      for (const listener of this.#listeners) listener.onState(state);
    });
    const events = new LastEvents();
    this.table = new WorkloadTable(
      events,
      () => clock.now(),
      (kind, namespace) => this.#deniedAt.has(`${kind} ${namespace}`),
    );
    this.#intake = new ObjectIntake(this.table, events);
    // Events are the largest part of a big cluster and the least: nothing that is waited for stands behind them.
    for (const [kind, type] of TYPES) if (kind !== 'events') this.#begin(kind, type);
  }

  #begin(kind: Kind, type: ResourceType): void {
    if (this.#parts.allowedNamespaces.length === 0) this.#start(kind, type, undefined);
    else this.#splitUp(kind, type);
  }

  get client(): KubeClient {
    return this.#parts.client;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rows are there, though their pods may not be. */
  get isListed(): boolean {
    return this.#isListed;
  }

  get state(): StateFrame {
    return this.#state.frame;
  }

  /** Tells a listener of everything from now on. `namespaces`: those that it knows by name. */
  add(listener: FeedListener, namespaces: readonly string[]): void {
    this.#listeners.add(listener);
    this.#cancelRest?.();
    // Somebody asks anew while the cluster does not answer: that is asked now, not when the next try would be due.
    for (const scope of this.#state.retrying) this.#attempts.get(scope)?.abort(new Error('asked again'));
    if (this.#parts.allowedNamespaces.length > 0) return;
    for (const namespace of namespaces) this.#namespaces.add(namespace);
    for (const [kind, type] of TYPES) if (this.#split.has(kind)) this.#startAll(kind, type);
  }

  remove(listener: FeedListener): void {
    this.#listeners.delete(listener);
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /** Goes on for a while without a listener, then closes unless one came. */
  rest(ms: number): void {
    this.#cancelRest?.();
    this.#cancelRest = this.#parts.clock.after(ms, () => {
      if (this.isIdle) this.close();
    });
  }

  close(): void {
    for (const cancel of [this.#cancelFlush, this.#cancelRest, this.#cancelListed]) cancel?.();
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(new Error('nobody looks any more'));
    this.#parts.onClose();
  }

  #start(kind: Kind, type: ResourceType, namespace: string | undefined): void {
    const scope = `${kind} ${namespace ?? '*'}`;
    if (this.#running.has(scope)) return;
    this.#running.add(scope);
    if (kind !== 'events' && !this.#isReady) this.#awaited.add(scope);
    void this.#run(scope, kind, type, namespace);
  }

  /** Never rejects. */
  async #run(scope: string, kind: Kind, type: ResourceType, namespace: string | undefined): Promise<void> {
    const { client } = this.#parts;
    const { signal } = this.#abort;
    for (let failures = 0; !signal.aborted; failures++) {
      const attempt = this.#attempt(scope);
      let isFirst = true;
      try {
        for await (const event of client.reflect<KubeObject>(type, { namespace }, { signal: attempt })) {
          failures = 0;
          if (event.type === 'state') {
            const error = event.error === undefined ? undefined : toWireError(event.error, client.cluster);
            this.#state.set(scope, event.state, error, event.retryInMs);
          } else {
            if (isFirst) this.#state.set(scope, 'live', undefined);
            isFirst = false;
            this.#take(kind, namespace, event);
            this.#answered(scope);
          }
        }
        if (!attempt.aborted) return;
      } catch (error) {
        if (signal.aborted) return;
        if (attempt.aborted) continue;
        if (isKubeError(error, 'forbidden')) {
          if (namespace === undefined) this.#splitUp(kind, type);
          else this.#deny(kind, namespace, toWireError(error, client.cluster));
        }
        if (isKubeError(error, 'forbidden') || isKubeError(error, 'not-found')) {
          this.#state.set(scope, 'live', undefined);
          this.#answered(scope);
          return;
        }
        await this.#pause(scope, error, failures, attempt);
      }
    }
  }

  /** Ends with the feed, or when that scope is to be asked again at once. */
  #attempt(scope: string): AbortSignal {
    const attempt = new AbortController();
    this.#attempts.set(scope, attempt);
    const either = AbortSignal.any([this.#abort.signal, attempt.signal]);
    setMaxListeners(0, either);
    return either;
  }

  /** Tells why there is nothing yet, and waits for the next try. */
  async #pause(scope: string, error: unknown, failures: number, attempt: AbortSignal): Promise<void> {
    const { client, clock } = this.#parts;
    const retryInMs = Math.round(backoffMs(failures, BACKOFF));
    this.#state.set(scope, 'retrying', toWireError(error, client.cluster), retryInMs);
    // Rejects only when the attempt was ended, which the loop around it looks at.
    await sleep(clock, retryInMs, attempt).catch(() => undefined);
  }

  /** From the whole cluster to each namespace that is known. */
  #splitUp(kind: Kind, type: ResourceType): void {
    this.#split.add(kind);
    this.#startAll(kind, type);
    if (this.#parts.allowedNamespaces.length > 0) return;
    const scope = `namespaces ${kind}`;
    if (!this.#isReady) this.#awaited.add(scope);
    this.#listed ??= this.#listNamespaces();
    void this.#listed.then(() => {
      this.#startAll(kind, type);
      this.#answered(scope);
    });
  }

  #startAll(kind: Kind, type: ResourceType): void {
    for (const namespace of this.#namespaces) this.#start(kind, type, namespace);
  }

  /** Whoever may not list namespaces sees those that are known by name. */
  async #listNamespaces(): Promise<void> {
    const { client } = this.#parts;
    const { signal } = this.#abort;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        for await (const page of client.list(NAMESPACES, { metadataOnly: true }, { signal })) {
          for (const { metadata } of page.items) this.#namespaces.add(metadata.name);
        }
        break;
      } catch (error) {
        if (signal.aborted || isKubeError(error, 'forbidden')) break;
        await this.#pause('namespaces', error, failures, this.#attempt('namespaces'));
      }
    }
    this.#state.set('namespaces', 'live', undefined);
  }

  #deny(kind: Kind, namespace: string, error: WireError): void {
    this.#deniedAt.add(`${kind} ${namespace}`);
    const denial = { namespace, error };
    this.denials.push(denial);
    this.table.touchAll();
    for (const listener of this.#listeners) listener.onDenied(denial);
  }

  #take(kind: Kind, namespace: string | undefined, event: ObjectEvent): void {
    this.#intake.take(kind, namespace, event);
    this.#scheduleFlush();
  }

  #answered(scope: string): void {
    this.#awaited.delete(scope);
    if (this.#isReady) return;
    if (this.#awaited.size > 0) {
      if ([...this.#awaited].every((waiting) => waiting.startsWith('pods '))) {
        this.#cancelListed ??= this.#parts.clock.after(PODS_MS, () => this.#tellListed());
      }
      return;
    }
    this.#cancelListed?.();
    this.#isListed = true;
    this.#isReady = true;
    this.table.setPodsKnown();
    this.table.takeChanges();
    for (const listener of this.#listeners) listener.onReady();
    for (const [kind, type] of TYPES) if (kind === 'events') this.#begin(kind, type);
  }

  #tellListed(): void {
    this.#cancelListed = undefined;
    // What cannot be read is told instead.
    if (this.#state.frame.state === 'retrying') return;
    this.#isListed = true;
    this.table.takeChanges();
    for (const listener of this.#listeners) listener.onListed();
  }

  #scheduleFlush(): void {
    if (!this.#isReady) return;
    this.#cancelFlush ??= this.#parts.clock.after(FLUSH_MS, () => {
      this.#cancelFlush = undefined;
      const changes = this.table.takeChanges();
      if (changes.changed.length === 0 && changes.removed.length === 0) return;
      for (const listener of this.#listeners) listener.onChanges(changes);
    });
  }
}
