import type {
  CollectionQuery,
  KubeClient,
  KubeErrorKind,
  KubeObject,
  LogQuery,
  LogResponse,
  ReflectorEvent,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '@logtool/logtool/src/domain/container.ts';
import type { ResolveEvent } from '@logtool/logtool/src/domain/resolve-event.ts';
import { readPod } from '@logtool/logtool/src/resolve/pods/pod-facts.ts';
import { createNodeAgent } from '@logtool/simcluster/src/kubelet/create-node-agent.ts';
import { NodeStates } from '@logtool/simcluster/src/kubelet/node-states.ts';
import type { NodeAgent } from '@logtool/simcluster/src/node-agent.ts';
import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { fakeClient } from '../fake-client.ts';
import { endlessLines } from './endless-lines.ts';
import { type Entry, type LogState, MemoryLog } from './memory-log.ts';

export interface FakeRun extends LogState {
  readonly id: string;
  readonly entries: Entry[];
  rotated: number;
  ended: boolean;
  removed: boolean;
  skipsFiles?: boolean;
  cuts?: number;
  /** When the runtime started it, if the test sets it. */
  startedAt?: Timestamp;
  /** It writes as fast as it is read: each follow gets endless lines, and other requests get none. */
  readonly isEndless?: true;
}

export interface FakeContainer {
  readonly name: string;
  readonly runs: FakeRun[];
  state: 'running' | 'waiting' | 'terminated';
  readonly init?: boolean;
}

export interface FakePod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly containers: FakeContainer[];
  readonly restartPolicy: 'Always' | 'Never' | 'OnFailure';
  phase: string;
  deleting: boolean;
  deleted: boolean;
  scheduled: boolean;
  readonly zone: string;
  /** How far its node's clock is ahead. */
  readonly skewMs: number;
}

type PodQuery = CollectionQuery & { readonly name?: string | undefined };

/** A fault of one request. */
export type FakeFault =
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'clean-end'; readonly afterBytes: number }
  | { readonly kind: 'stall'; readonly afterBytes: number; readonly delayMs: number }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs?: number }
  /** Nothing listens at the address. */
  | { readonly kind: 'refuse' }
  /** The body arrives in chunks of this many bytes. */
  | { readonly kind: 'split'; readonly chunkBytes: number }
  | { readonly kind: 'text'; readonly text: string; readonly afterBytes: number };

const KINDS: Readonly<Record<number, KubeErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  429: 'too-many-requests',
  500: 'server',
  503: 'server',
};

/**
 * A cluster in memory whose pods, runs, entries, faults and clocks a test controls. The simulated kubelet
 * answers its log requests from these entries, and implements the rules of tailLines, sinceTime, limitBytes,
 * fragments, errors and follows. This class adds what a kubelet does not do or a test must control:
 *
 * - The API server refuses unknown containers and truncates sinceTime to the second before it asks a kubelet.
 *   Property tests create thousands of clusters, so none starts an API server.
 * - A follow sees the end of a run at once instead of within a second, and a rotation loses nothing unless
 *   the run `skipsFiles`, so that a test chooses the moment. A cut first delivers what was written.
 * - An endless run has no entries, because no memory could hold all of them.
 */
export class FakeCluster {
  readonly pods = new Map<string, FakePod>();
  readonly queries: LogQuery[] = [];
  faultsHit = 0;
  bytesServed = 0;
  openLogs = 0;
  maxOpenLogs = 0;
  /** Lines of endless runs taken so far, over all connections. */
  linesTaken = 0;
  /** The fault of the next request, if any. */
  nextFault: (query: LogQuery) => FakeFault | undefined = () => undefined;
  /** The answer of an access review. */
  mayRead = true;
  /** How long the next request for a pod takes. */
  nextFetchMs: () => number = () => 0;
  /** The delay of the next event; later ones wait for it. */
  nextEventLagMs: () => number = () => 0;
  /** Size of the next chunk of a body. */
  chunkBytes: () => number = () => 64 * 1024;
  readonly client: KubeClient;
  readonly #clock: Clock;
  readonly #held = new Map<FakePod, KubeObject>();
  readonly #agent: NodeAgent;
  readonly #logs = new Map<FakeRun, MemoryLog>();
  readonly #events = new Set<(event: ResolveEvent) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#agent = createNodeAgent({
      store: { get: (_resource, _namespace, name) => this.#podOfNode(name) },
      runtime: {
        access: {
          nodes: new NodeStates(clock),
          find: (id) => this.#find(id),
          podLogs: () => {
            throw new Error('its logs are no files');
          },
        },
      },
      clock: { now: () => clock.now(), steady: () => clock.steady(), after: endAtOnce },
    });
    this.client = fakeClient({
      get: (_type, { name }, { signal } = {}) => this.#get(name, signal),
      getMetadata: async (_type, { name }, { signal } = {}) => {
        const { metadata } = await this.#get(name, signal);
        return { metadata };
      },

      list: (type, query) => this.#list(type, query),
      reflect: (type, query, { signal } = {}) => this.#reflect(type, query, signal),
      log: (query, { signal } = {}) => this.#log(query, signal),
      review: async () => this.mayRead,
    });
  }

  addPod(name: string, overrides: Partial<FakePod> = {}): FakePod {
    const pod: FakePod = {
      namespace: 'default',
      name,
      uid: `uid-${name}`,
      containers: [],
      restartPolicy: 'Always',
      phase: 'Running',
      deleting: false,
      deleted: false,
      scheduled: true,
      zone: 'Z',
      skewMs: 0,
      ...overrides,
    };
    this.pods.set(name, pod);
    return pod;
  }

  addContainer(
    pod: FakePod,
    name: string,
    runs: readonly FakeRun[] = [newRun(`${pod.name}-${name}-0`)],
  ): FakeContainer {
    const container: FakeContainer = { name, runs: [...runs], state: 'running' };
    pod.containers.push(container);
    return container;
  }

  write(container: FakeContainer, entry: Entry): void {
    container.runs.at(-1)!.entries.push(entry);
    this.#wake();
  }

  rotate(container: FakeContainer): void {
    const run = container.runs.at(-1)!;
    run.rotated = run.entries.length;
    this.#wake();
  }

  /**
   * Ends the container's follows as if the run were over, like a node whose kubelet stops
   * (follow-kubelet-stops.json).
   */
  cut(container: FakeContainer): void {
    const run = container.runs.at(-1)!;
    run.cuts = (run.cuts ?? 0) + 1;
    this.#wake();
  }

  /** Ends the process, and updates the pod's status. */
  endRun(pod: FakePod, container: FakeContainer, state: 'waiting' | 'terminated' = 'terminated'): void {
    container.runs.at(-1)!.ended = true;
    container.state = state;
    this.#wake();
    this.changed(pod);
  }

  startRun(pod: FakePod, container: FakeContainer, id: string): FakeRun {
    const run = { ...newRun(id), startedAt: timestampFromMs(this.#clock.now() + pod.skewMs) };
    const [before, last] = [container.runs.at(-2), container.runs.at(-1)];
    if (last !== undefined) last.ended = true;
    if (before !== undefined) before.removed = true;
    container.runs.push(run);
    container.state = 'running';
    this.#wake();
    this.changed(pod);
    return run;
  }

  deletePod(pod: FakePod): void {
    for (const container of pod.containers) {
      const run = container.runs.at(-1);
      if (run !== undefined) run.ended = true;
    }
    pod.deleting = true;
    pod.deleted = true;
    this.#wake();
    for (const target of this.targetsOf(pod)) this.say({ type: 'gone', target });
  }

  changed(pod: FakePod): void {
    for (const target of this.targetsOf(pod)) this.say({ type: 'changed', target });
  }

  joined(pod: FakePod): void {
    for (const target of this.targetsOf(pod)) this.say({ type: 'added', target });
  }

  close(open: boolean): void {
    this.say({ type: 'closing', open });
  }

  targetsOf(pod: FakePod): ContainerTarget[] {
    const facts = readPod(this.#status(pod));
    return facts.containers.map((container) => ({
      id: `${pod.uid}/${container.name}`,
      namespace: pod.namespace,
      pod: pod.name,
      podUid: pod.uid,
      container: container.name,
      kind: container.kind,
      placement: {},
      state: container.state,
      restartCount: container.restartCount,
      lastContainerId: container.lastContainerId,
      lastStartedAt: container.lastStartedAt,
      mayRestart: container.mayRestart,
      podPhase: facts.phase,
      podCreatedAt: facts.createdAt,
      deleting: facts.deleting,
    }));
  }

  targets(): ContainerTarget[] {
    return [...this.pods.values()].filter((pod) => !pod.deleted).flatMap((pod) => this.targetsOf(pod));
  }

  /**
   * Yields the existing containers, then `synced`; with `follow`, also later changes, until the signal
   * aborts.
   */
  async *sources(options: {
    follow: boolean;
    open?: boolean;
    signal?: AbortSignal;
  }): AsyncGenerator<ResolveEvent> {
    const queue: { readonly event: ResolveEvent; readonly dueMs: number }[] = [];
    let wake = () => {};
    let lastDueMs = 0;
    const listener = (event: ResolveEvent) => {
      lastDueMs = Math.max(lastDueMs, this.#clock.now() + this.nextEventLagMs());
      queue.push({ event, dueMs: lastDueMs });
      wake();
    };
    this.#events.add(listener);
    options.signal?.addEventListener('abort', () => wake(), { once: true });
    try {
      for (const target of this.targets()) yield { type: 'added', target };
      yield { type: 'synced', open: options.open ?? options.follow };
      while (options.follow && options.signal?.aborted !== true) {
        const [next] = queue;
        const waitMs = next === undefined ? 0 : next.dueMs - this.#clock.now();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (waitMs > 0) await sleep(this.#clock, waitMs, options.signal).catch(() => undefined);
        else {
          queue.shift();
          yield next.event;
        }
      }
    } finally {
      this.#events.delete(listener);
    }
  }

  /** Notifies all views; needed for changes that do not change a pod, such as its labels. */
  say(event: ResolveEvent): void {
    for (const listener of this.#events) listener(event);
  }

  /**
   * Until it is released, the API server keeps the pod's current status, although the node knows a newer one.
   */
  holdStatus(pod: FakePod): void {
    this.#held.set(pod, this.#object(pod));
  }

  letStatusGo(pod: FakePod): void {
    this.#held.delete(pod);
    this.changed(pod);
  }

  #wake(): void {
    for (const log of this.#logs.values()) log.changed();
  }

  #object(pod: FakePod) {
    const statuses = pod.containers.map((container) => {
      const run = container.runs.at(-1);
      const before = container.runs.at(container.state === 'waiting' ? -1 : -2);
      const id = run === undefined ? undefined : run.id;
      const state =
        container.state === 'running'
          ? { running: { startedAt: startOf(run) } }
          : container.state === 'waiting'
            ? { waiting: { reason: container.runs.length === 0 ? 'ContainerCreating' : 'CrashLoopBackOff' } }
            : { terminated: { containerID: id, exitCode: 0, reason: 'Completed' } };
      return {
        name: container.name,
        containerID: id,
        restartCount: Math.max(0, container.runs.length - 1),
        state,
        lastState:
          before === undefined
            ? {}
            : { terminated: { containerID: before.id, exitCode: 1, startedAt: startOf(before) } },
      };
    });
    return {
      metadata: {
        name: pod.name,
        namespace: pod.namespace,
        uid: pod.uid,
        resourceVersion: '1',
        ...(pod.deleting ? { deletionTimestamp: '2026-11-21T12:00:00Z' } : {}),
      },
      spec: { restartPolicy: pod.restartPolicy, containers: pod.containers.map(({ name }) => ({ name })) },
      status: { phase: pod.phase, containerStatuses: statuses },
    };
  }

  async #get(name: string, signal: AbortSignal | undefined): Promise<KubeObject> {
    const fetchMs = this.nextFetchMs();
    if (fetchMs > 0) await sleep(this.#clock, fetchMs, signal);
    const pod = this.pods.get(name);
    if (pod === undefined || pod.deleted) throw statusError(404, `pods "${name}" not found`);
    return this.#status(pod);
  }

  /** Lists the pods in one page; there are no other objects. */
  async *#list(type: ResourceType, query: PodQuery) {
    const matches = matcherOf(type, query);
    const pods = [...this.pods.values()].filter((pod) => !pod.deleted && matches(pod));
    yield { items: pods.map((pod) => this.#status(pod)), resourceVersion: '1' };
  }

  /** Streams the pods with the changes that views get, and with the same delay. */
  async *#reflect(
    type: ResourceType,
    query: PodQuery,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReflectorEvent<KubeObject>> {
    const matches = matcherOf(type, query);
    let isSynced = false;
    for await (const event of this.sources({ follow: true, ...(signal === undefined ? {} : { signal }) })) {
      if (event.type === 'synced') {
        isSynced = true;
        const pods = [...this.pods.values()].filter((pod) => !pod.deleted && matches(pod));
        yield { type: 'snapshot', objects: pods.map((pod) => this.#status(pod)) };
      }
      if (!isSynced || !('target' in event)) continue;
      const pod = this.pods.get(event.target.pod);
      if (pod === undefined || !matches(pod)) continue;
      yield { type: event.type === 'gone' ? 'deleted' : 'changed', object: this.#status(pod) };
    }
  }

  #status(pod: FakePod): KubeObject {
    return this.#held.get(pod) ?? this.#object(pod);
  }

  async #log(query: LogQuery, signal: AbortSignal | undefined): Promise<LogResponse> {
    signal?.throwIfAborted();
    this.queries.push(query);
    const fault = this.nextFault(query);
    if (fault !== undefined) this.faultsHit++;
    await this.#beforeAnswer(fault, query, signal);
    const pod = this.pods.get(query.pod);
    const container = pod?.scheduled && !pod.deleted ? containerOf(pod, query) : undefined;
    const isEndless = query.follow === true && container?.runs.at(-1)?.isEndless === true;
    const answer = isEndless
      ? ({ kind: 'stream', body: this.#endless(signal) } as const)
      : await this.#agent.containerLog({
          namespace: query.namespace,
          pod: query.pod,
          podUid: pod?.uid ?? '',
          container: container?.name ?? '',
          follow: query.follow === true,
          previous: query.previous === true,
          timestamps: query.timestamps === true,
          tailLines: query.tailLines,
          limitBytes: query.limitBytes,
          sinceMs: query.sinceTime && query.sinceTime.seconds * 1000,
          signal: signal ?? new AbortController().signal,
        });
    if (answer.kind === 'status') throw statusError(answer.code, answer.message);
    if (answer.kind === 'no-content') return { status: 204, body: chunks([]) };
    return {
      status: 200,
      body: this.#counted(this.#faulty(this.#chunked(answer.body, signal), fault, signal)),
    };
  }

  /** Fails or waits as a fault says that comes before any answer. */
  async #beforeAnswer(
    fault: FakeFault | undefined,
    { pod }: LogQuery,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (fault?.kind === 'status') {
      const text =
        fault.status === 404
          ? `the server could not find the requested resource ( pods/log ${pod})`
          : 'injected';
      throw statusError(fault.status, text, fault.retryAfterMs);
    }
    if (fault?.kind === 'refuse') throw refusal();
    if (fault?.kind === 'delay') await sleep(this.#clock, fault.delayMs, signal);
  }

  /** Returns the pod as its node knows it, whatever the API server has. */
  #podOfNode(name: string): StoredObject | undefined {
    const pod = this.pods.get(name);
    if (pod === undefined || pod.deleted) return undefined;
    const { metadata, spec, status } = this.#object(pod);
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, creationTimestamp: '2026-11-21T00:00:00Z' },
      spec: pod.scheduled ? { ...spec, nodeName: 'node' } : spec,
      status,
    };
  }

  #find(id: string): { readonly log: MemoryLog; readonly pathOnNode: string } | undefined {
    const found = [...this.pods.values()].flatMap((pod) =>
      pod.containers.flatMap(({ runs }) => runs.filter((run) => run.id === id).map((run) => ({ pod, run }))),
    );
    const [only] = found;
    if (found.length > 1) throw new Error(`a node has one run with the ID ${id}, not ${found.length}`);
    if (only === undefined || only.run.removed) return undefined;
    const log = this.#logs.get(only.run) ?? new MemoryLog(only.run, zoneMinutes(only.pod.zone));
    this.#logs.set(only.run, log);
    return { log, pathOnNode: `/var/log/pods/${only.pod.name}/${id}.log` };
  }

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.openLogs++;
    this.maxOpenLogs = Math.max(this.maxOpenLogs, this.openLogs);
    try {
      for await (const chunk of body) {
        this.bytesServed += chunk.length;
        yield chunk;
      }
    } finally {
      this.openLogs--;
    }
  }

  async *#endless(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    for (const { bytes, count } of endlessLines()) {
      if (signal?.aborted === true) break;
      this.linesTaken += count;
      yield bytes;
      await new Promise((resolve) => setImmediate(resolve));
    }
    signal?.throwIfAborted();
  }

  async *#chunked(
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      for (let at = 0; at < bytes.length; ) {
        const chunk = bytes.subarray(at, at + Math.max(1, this.chunkBytes()));
        at += chunk.length;
        signal?.throwIfAborted();
        yield chunk;
      }
    }
    signal?.throwIfAborted();
  }

  async *#faulty(
    body: AsyncIterable<Uint8Array>,
    fault: FakeFault | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    if (fault === undefined) yield* body;
    else if (fault.kind === 'split') yield* split(body, fault.chunkBytes);
    else if ('afterBytes' in fault) yield* this.#interrupted(body, fault, signal);
    else yield* body;
  }

  async *#interrupted(
    body: AsyncIterable<Uint8Array>,
    fault: Extract<FakeFault, { readonly afterBytes: number }>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    let left = fault.afterBytes;
    let struck = false;
    if (left === 0 && fault.kind === 'text') {
      yield Buffer.from(fault.text);
      return;
    }
    for await (const chunk of body) {
      if (struck || chunk.length <= left) {
        left -= chunk.length;
        yield chunk;
        continue;
      }
      if (left > 0) yield chunk.subarray(0, left);
      struck = true;
      yield* this.#strike(fault, signal);
      if (fault.kind !== 'stall') return;
      yield chunk.subarray(Math.max(0, left));
      left = 0;
    }
  }

  /** Does what happens after the bytes of a fault. */
  async *#strike(
    fault: Extract<FakeFault, { readonly afterBytes: number }>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    if (fault.kind === 'reset')
      throw new KubeError({ kind: 'connection', message: 'socket hang up', code: 'ECONNRESET' });
    if (fault.kind === 'stall') await sleep(this.#clock, fault.delayMs, signal);
    if (fault.kind === 'text') yield Buffer.from(fault.text);
  }
}

async function* split(body: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
}

function matcherOf(
  { plural }: ResourceType,
  { namespace, name, labelSelector, fieldSelector }: PodQuery,
): (pod: FakePod) => boolean {
  if (labelSelector !== undefined || fieldSelector !== undefined)
    throw new Error('this fake selects pods by namespace and name only');
  return (pod) =>
    plural === 'pods' &&
    (namespace === undefined || pod.namespace === namespace) &&
    (name === undefined || pod.name === name);
}

/** Returns the start as in the pod's status: to the second. A run without one starts with its first line. */
function startOf(run: FakeRun | undefined): string {
  const at = run?.startedAt ?? run?.entries[0]?.at;
  return at === undefined ? '2026-11-21T00:00:00Z' : formatTimestamp({ seconds: at.seconds, nanos: 0 });
}

export function newRun(id: string, entries: readonly Entry[] = []): FakeRun {
  return { id, entries: [...entries], rotated: 0, ended: false, removed: false };
}

const refusal = () => new KubeError({ kind: 'connection', message: 'connect ECONNREFUSED' });

async function* chunks(list: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

function statusError(status: number, message: string, retryAfterMs?: number): KubeError {
  const kind = status === 400 ? 'bad-request' : (KINDS[status] ?? 'http');
  return new KubeError({ kind, status, message, retryAfterMs });
}

/** Converts `+05:30` to minutes. */
function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6)));
}

/** Returns the container that the API server requests from the kubelet. */
function containerOf(pod: FakePod, { pod: name, container }: LogQuery): FakeContainer {
  if (container === undefined && pod.containers.length > 1)
    throw statusError(400, `a container name must be specified for pod ${name}`);
  const found = pod.containers.find((candidate) => candidate.name === (container ?? candidate.name));
  if (found === undefined) throw statusError(400, `container ${container} is not valid for pod ${name}`);
  return found;
}

function endAtOnce(_delayMs: number, callback: () => void): () => void {
  callback();
  return () => undefined;
}
