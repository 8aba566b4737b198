import { setMaxListeners } from 'node:events';
import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError, type KubeError, requestedWaitMs } from '@logtool/kube/src/errors.ts';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';
import type { WireError } from '../../contract/error.ts';
import { toWireError } from '../to-wire-error.ts';
import { AskedNamespaces, TOO_MANY } from './asked-namespaces.ts';
import { Denials } from './denials.ts';
import type { Denial, FeedListener } from './feed-listener.ts';
import { FeedState, type StateFrame } from './feed-state.ts';
import { LastEvents } from './last-events.ts';
import { type ObjectEvent, ObjectIntake } from './object-intake.ts';
import { type Running, Scopes } from './scopes.ts';
import { type Kind, TYPES } from './watched-kinds.ts';
import { WorkloadTable } from './workload-table.ts';

/** Minimum interval between changes. */
const FLUSH_MS = 250;
/** The feed waits for pods that come this soon after the rest. */
const PODS_MS = 150;
const RECONNECT_POLICY = { firstMs: 1_000, maxMs: 30_000 };

export interface FeedOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Empty: all. */
  readonly allowedNamespaces: readonly string[];
  /** The namespace of the person's own service account, watched without a request. */
  readonly ownNamespace?: string | undefined;
  /** Called once, when the feed closes. */
  readonly onClose: () => void;
}

/**
 * The workloads of one cluster as one person may see them, for all tabs that show them. Watches whole collections; if
 * that is forbidden, those of each namespace known by name.
 */
export class WorkloadFeed {
  readonly table: WorkloadTable;
  readonly #denials = new Denials();
  readonly #options: FeedOptions;
  readonly #intake: ObjectIntake;
  readonly #state: FeedState;
  readonly #listeners = new Set<FeedListener>();
  readonly #abort = new AbortController();
  /** Scopes without a first answer; excludes events, which nothing waits for. */
  readonly #awaited = new Set<string>();
  readonly #scopes: Scopes;
  /** Kinds that cannot be listed in the whole cluster. */
  readonly #split = new Set<Kind>();
  readonly #namespaces: AskedNamespaces;
  #listed: Promise<void> | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelRest: (() => void) | undefined;
  #cancelListed: (() => void) | undefined;
  #isListed = false;
  #isReady = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    setMaxListeners(0, this.#abort.signal);
    this.#scopes = new Scopes(this.#abort.signal);
    const { clock, allowedNamespaces, ownNamespace, client } = options;
    const named = [client.cluster.namespace, ownNamespace ?? []].flat();
    const known = allowedNamespaces.length > 0 ? allowedNamespaces : named;
    this.#namespaces = new AskedNamespaces(known);
    this.#state = new FeedState(clock, (state) => {
      for (const listener of this.#listeners) listener.onState(state);
    });
    const events = new LastEvents();
    const now = () => clock.now();
    this.table = new WorkloadTable(events, now, (kind, namespace) => this.#denials.has(kind, namespace));
    this.#intake = new ObjectIntake(this.table, events);
    // Events are the largest part of a big cluster and the least important: nothing waits for them.
    for (const [kind, type] of TYPES) if (kind !== 'events') this.#begin(kind, type);
  }

  #begin(kind: Kind, type: ResourceType): void {
    if (this.#options.allowedNamespaces.length === 0) this.#start(kind, type, undefined);
    else this.#splitUp(kind, type);
  }

  get client(): KubeClient {
    return this.#options.client;
  }

  get denials(): readonly Denial[] {
    return this.#denials.list;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rows exist, though their pods may not. */
  get isListed(): boolean {
    return this.#isListed;
  }

  get state(): StateFrame {
    return this.#state.frame;
  }

  /** Sends a listener everything from now on. `namespaces`: those that it names. */
  add(listener: FeedListener, namespaces: readonly string[]): void {
    this.#listeners.add(listener);
    this.#cancelRest?.();
    // A new request while the cluster does not answer: retries now, not at the next scheduled attempt.
    this.#scopes.askAgain(this.#state.retrying);
    if (this.#options.allowedNamespaces.length > 0) return;
    this.#namespaces.set(listener, namespaces);
    for (const [kind, type] of TYPES) if (this.#split.has(kind)) this.#startAll(kind, type);
    this.#dropUnasked();
    if (this.#split.size > 0) this.#noteTooMany();
  }

  remove(listener: FeedListener): void {
    this.#listeners.delete(listener);
    this.#namespaces.delete(listener);
    // A page that reloads soon finds everything unchanged.
    if (!this.isIdle) this.#dropUnasked();
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /** Continues for a while without a listener, then closes unless one came. */
  rest(ms: number): void {
    this.#cancelRest?.();
    this.#cancelRest = this.#options.clock.after(ms, () => {
      if (this.isIdle) this.close();
    });
  }

  close(): void {
    for (const cancel of [this.#cancelFlush, this.#cancelRest, this.#cancelListed]) cancel?.();
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(new Error('no client watches now'));
    this.#options.onClose();
  }

  #start(kind: Kind, type: ResourceType, namespace: string | undefined): void {
    const scope = this.#scopes.start(kind, namespace);
    if (scope === undefined) return;
    if (kind !== 'events' && !this.#isReady) this.#awaited.add(scope.name);
    void this.#run(scope, type);
  }

  /** Never rejects. */
  async #run(scope: Running, type: ResourceType): Promise<void> {
    const backoff = new Backoff(RECONNECT_POLICY);
    while (!scope.signal.aborted) {
      const attempt = this.#scopes.attempt(scope.name, scope.signal);
      const end = await this.#reflect(scope, type, attempt);
      if (end === 'over') return;
      if (end.hadEvents) backoff.reset();
      const retryInMs = backoff.nextMs(requestedWaitMs(end.error));
      if (!attempt.aborted) await this.#pause(scope.name, end.error, retryInMs, attempt);
    }
  }

  /** Runs one attempt: until it fails, ends for an immediate retry, or nothing more is to be read. */
  async #reflect(
    scope: Running,
    type: ResourceType,
    attempt: AbortSignal,
  ): Promise<'over' | { readonly error: unknown; readonly hadEvents: boolean }> {
    const { namespace, signal } = scope;
    let hadEvents = false;
    let isFirst = true;
    try {
      const events = this.#options.client.reflect<KubeObject>(type, { namespace }, { signal: attempt });
      for await (const event of events) {
        hadEvents = true;
        if (signal.aborted) return 'over';
        isFirst = this.#takeEvent(scope, event, isFirst);
      }
    } catch (error) {
      if (signal.aborted) return 'over';
      return !attempt.aborted && this.#isRefused(scope, type, error) ? 'over' : { error, hadEvents };
    }
    return attempt.aborted ? { error: undefined, hadEvents } : 'over';
  }

  /** Accepts a refusal as the answer if a retry would not change it. */
  #isRefused(scope: Running, type: ResourceType, error: unknown): boolean {
    if (isKubeError(error, 'forbidden')) this.#refuse(scope, type, error);
    else if (!isKubeError(error, 'not-found')) return false;
    this.#state.set(scope.name, 'live', undefined);
    this.#answered(scope.name);
    return true;
  }

  /**
   * Takes an event; returns whether the next event other than a state is still the first. Throws the withdrawal of a
   * permission.
   */
  #takeEvent(
    { name, kind, namespace }: Running,
    event: ReflectorEvent<KubeObject>,
    isFirst: boolean,
  ): boolean {
    if (event.type === 'state') {
      const { state, error, retryInMs, isWithdrawn } = event;
      if (isWithdrawn) throw error;
      const { cluster } = this.#options.client;
      this.#state.set(name, state, error === undefined ? undefined : toWireError(error, cluster), retryInMs);
      return isFirst;
    }
    if (isFirst) this.#state.set(name, 'live', undefined);
    this.#take(kind, namespace, event);
    this.#answered(name);
    return false;
  }

  /** Removes what a withdrawn permission had shown. */
  #refuse({ kind, namespace }: Running, type: ResourceType, error: KubeError): void {
    this.#take(kind, namespace, { type: 'snapshot', objects: [] });
    if (namespace === undefined) this.#splitUp(kind, type);
    else this.#deny(kind, namespace, toWireError(error, this.#options.client.cluster));
  }

  /** Reports why the list is still empty, and waits for the next attempt. */
  async #pause(scope: string, error: unknown, retryInMs: number, attempt: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    this.#state.set(scope, 'retrying', toWireError(error, client.cluster), retryInMs);
    // Rejects only when the attempt was ended, which the calling loop checks.
    await sleep(clock, retryInMs, attempt).catch(() => undefined);
  }

  /** Switches from the whole cluster to each known namespace. */
  #splitUp(kind: Kind, type: ResourceType): void {
    this.#split.add(kind);
    this.#startAll(kind, type);
    this.#noteTooMany();
    if (this.#options.allowedNamespaces.length > 0) return;
    const scope = `namespaces ${kind}`;
    if (!this.#isReady) this.#awaited.add(scope);
    this.#listed ??= this.#listNamespaces();
    void this.#listed.then(() => {
      this.#startAll(kind, type);
      this.#answered(scope);
    });
  }

  #startAll(kind: Kind, type: ResourceType): void {
    for (const namespace of this.#namespaces.shares().all) this.#start(kind, type, namespace);
  }

  /** Ends the watches of namespaces that no listener requests, and forgets their objects. */
  #dropUnasked(): void {
    const isKept = this.#namespaces.wanted();
    for (const { name, kind, namespace } of this.#scopes.keep(isKept)) {
      this.#state.set(name, 'live', undefined);
      this.#take(kind, namespace, { type: 'snapshot', objects: [] });
      this.#answered(name);
    }
    this.#denials.keep(isKept);
  }

  #noteTooMany(): void {
    const beyond = new Set(this.#namespaces.shares().beyond);
    this.#denials.keepOf('too-many', beyond);
    for (const namespace of beyond) this.#deny('too-many', namespace, TOO_MANY);
  }

  /** Lists the namespaces. Without that permission, a person sees those known by name. */
  async #listNamespaces(): Promise<void> {
    const { signal } = this.#abort;
    const backoff = new Backoff(RECONNECT_POLICY);
    while (!signal.aborted) {
      try {
        for await (const page of this.#options.client.list(NAMESPACES, { metadataOnly: true }, { signal })) {
          for (const { metadata } of page.items) this.#namespaces.known.add(metadata.name);
        }
        break;
      } catch (error) {
        if (signal.aborted || isKubeError(error, 'forbidden')) break;
        const attempt = this.#scopes.attempt('namespaces', signal);
        await this.#pause('namespaces', error, backoff.nextMs(requestedWaitMs(error)), attempt);
      }
    }
    this.#state.set('namespaces', 'live', undefined);
  }

  #deny(kind: Kind | 'too-many', namespace: string, error: WireError): void {
    if (this.#denials.has(kind, namespace)) return;
    const denial = this.#denials.add(kind, namespace, error);
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
        this.#cancelListed ??= this.#options.clock.after(PODS_MS, () => this.#notifyListed());
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

  #notifyListed(): void {
    this.#cancelListed = undefined;
    // Unreadable parts are reported instead.
    if (this.#state.frame.state === 'retrying') return;
    this.#isListed = true;
    this.table.takeChanges();
    for (const listener of this.#listeners) listener.onListed();
  }

  #scheduleFlush(): void {
    if (!this.#isReady) return;
    this.#cancelFlush ??= this.#options.clock.after(FLUSH_MS, () => {
      this.#cancelFlush = undefined;
      const changes = this.table.takeChanges();
      if (changes.changed.length === 0 && changes.removed.length === 0) return;
      for (const listener of this.#listeners) listener.onChanges(changes);
    });
  }
}
