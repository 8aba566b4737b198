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
import type { SourceEvent } from '@logtool/logtool/src/domain/source-event.ts';
import { readPod } from '@logtool/logtool/src/resolve/pods/pod-facts.ts';
import { fakeClient } from '../fake-client.ts';
import { endlessLines } from './endless-lines.ts';

/** One entry of a CRI log file: a line, or a fragment of one. */
export interface Entry {
  readonly at: Timestamp;
  readonly bytes: Uint8Array;
  readonly partial: boolean;
}

export interface FakeRun {
  readonly id: string;
  readonly entries: Entry[];
  /** Entries before this index lie in rotated files, which the API does not serve. */
  rotated: number;
  ended: boolean;
  removed: boolean;
  /** A follow lags behind the rotations: whole files pass it by. */
  skipsFiles?: boolean;
  /** How often its follows were ended as if it was over. */
  cuts?: number;
  /** When the runtime started it, where the test lets it start. */
  startedAt?: Timestamp;
  /** It writes as fast as it is read: each follow gets lines without end, and no other request gets any. */
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
  /** How far the clock of its node is ahead. */
  readonly skewMs: number;
}

/** What goes wrong with one request. */
export type FakeFault =
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'clean-end'; readonly afterBytes: number }
  | { readonly kind: 'stall'; readonly afterBytes: number; readonly delayMs: number }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs?: number }
  /** Nothing listens there. */
  | { readonly kind: 'refuse' }
  /** The body comes in chunks of that many bytes. */
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
 * A cluster's log API in memory, with the semantics of test/recorded/pods-log: tailLines counts fragments of the
 * newest file, sinceTime is cut to the second and filters each entry, tail goes before time, limitBytes cuts anywhere,
 * the end of a run ends a follow, errors of the node come as text. Where sinceTime leaves out the first fragment of a
 * line, the next one has no timestamp (behaviour-odd-files.test.ts of the simulated kubelet).
 */
export class FakeCluster {
  readonly pods = new Map<string, FakePod>();
  readonly queries: LogQuery[] = [];
  faultsHit = 0;
  bytesServed = 0;
  openLogs = 0;
  maxOpenLogs = 0;
  /** Lines of endless runs that were taken so far, over all connections. */
  linesTaken = 0;
  /** The fault of the next request, if any. */
  nextFault: (query: LogQuery) => FakeFault | undefined = () => undefined;
  /** How long the next request for a pod takes. */
  nextFetchMs: () => number = () => 0;
  /** By how much the next event is late; later ones wait for it. */
  nextEventLagMs: () => number = () => 0;
  /** Size of the next chunk of a body. */
  chunkBytes: () => number = () => 64 * 1024;
  readonly client: KubeClient;
  readonly #clock: Clock;
  readonly #held = new Map<FakePod, KubeObject>();
  readonly #listeners = new Set<() => void>();
  readonly #events = new Set<(event: SourceEvent) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.client = fakeClient({
      get: (_type, { name }, { signal } = {}) => this.#get(name, signal),
      getMetadata: async (_type, { name }, { signal } = {}) => {
        const { metadata } = await this.#get(name, signal);
        return { metadata };
      },

      reflect: (type, query, { signal } = {}) => this.#reflect(type, query, signal),
      log: (query, { signal } = {}) => this.#log(query, signal),
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
  }

  /** Its follows end as if it was over, as of a node whose kubelet stops (follow-kubelet-stops.json). */
  cut(container: FakeContainer): void {
    const run = container.runs.at(-1)!;
    run.cuts = (run.cuts ?? 0) + 1;
    this.#wake();
  }

  /** The process ends; the pod says so. */
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
      mayRestart: container.mayRestart,
      podPhase: facts.phase,
      deleting: facts.deleting,
    }));
  }

  targets(): ContainerTarget[] {
    return [...this.pods.values()].filter((pod) => !pod.deleted).flatMap((pod) => this.targetsOf(pod));
  }

  /** The containers that exist, then `synced`; with `follow` what changes afterwards, until the signal is aborted. */
  async *sources(options: {
    follow: boolean;
    open?: boolean;
    signal?: AbortSignal;
  }): AsyncGenerator<SourceEvent> {
    const queue: { readonly event: SourceEvent; readonly dueMs: number }[] = [];
    let wake = () => {};
    let lastDueMs = 0;
    const listener = (event: SourceEvent) => {
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
  say(event: SourceEvent): void {
    for (const listener of this.#events) listener(event);
  }

  /** From now on the API server has the pod as it is now, although the node knows more; until it is let go. */
  holdStatus(pod: FakePod): void {
    this.#held.set(pod, this.#object(pod));
  }

  letStatusGo(pod: FakePod): void {
    this.#held.delete(pod);
    this.changed(pod);
  }

  #wake(): void {
    for (const listener of [...this.#listeners]) listener();
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
        lastState: before === undefined ? {} : { terminated: { containerID: before.id, exitCode: 1 } },
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

  /** The pods, with the changes that the views get, as late as they get them; it has no other objects. */
  async *#reflect(
    { plural }: ResourceType,
    {
      namespace,
      name,
      labelSelector,
      fieldSelector,
    }: CollectionQuery & { readonly name?: string | undefined },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReflectorEvent<KubeObject>> {
    if (labelSelector !== undefined || fieldSelector !== undefined)
      throw new Error('this fake selects pods by namespace and name only');
    const matches = (pod: FakePod) =>
      plural === 'pods' &&
      (namespace === undefined || pod.namespace === namespace) &&
      (name === undefined || pod.name === name);
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
    if (fault?.kind === 'status') {
      const text =
        fault.status === 404
          ? `the server could not find the requested resource ( pods/log ${query.pod})`
          : 'injected';
      throw statusError(fault.status, text, fault.retryAfterMs);
    }
    if (fault?.kind === 'refuse') throw refusal();
    if (fault?.kind === 'delay') await sleep(this.#clock, fault.delayMs, signal);
    const pod = this.pods.get(query.pod);
    if (pod === undefined || pod.deleted) throw statusError(404, `pods "${query.pod}" not found`);
    if (!pod.scheduled) return { status: 204, body: chunks([]) };
    if (query.container === undefined && pod.containers.length > 1)
      throw statusError(400, `a container name must be specified for pod ${query.pod}`);
    const container = pod.containers.find(({ name }) => name === (query.container ?? name));
    if (container === undefined) {
      throw statusError(400, `container ${query.container} is not valid for pod ${query.pod}`);
    }
    const run = this.#runFor(container, query);
    const isEndless = run.isEndless === true && query.follow === true;
    const body = isEndless ? this.#endless(signal) : this.#body(run, pod, query, signal);
    return {
      status: 200,
      body: this.#counted(this.#faulty(body, fault, signal)),
    };
  }

  #runFor(container: FakeContainer, query: LogQuery): FakeRun {
    const where = `container "${container.name}" in pod "${query.pod}"`;
    const present = container.runs.at(-1);
    const last = container.state === 'waiting' ? present : container.runs.at(-2);
    if (query.previous) {
      if (last === undefined) throw statusError(400, `previous terminated ${where} not found`);
      return last;
    }
    if (present === undefined) throw statusError(400, `${where} is waiting to start: ContainerCreating`);
    return present;
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

  async *#body(
    run: FakeRun,
    pod: FakePod,
    query: LogQuery,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    if (run.removed) {
      yield Buffer.from(`unable to retrieve container logs for ${run.id}`);
      return;
    }
    const seconds = query.sinceTime?.seconds;
    let next = run.rotated;
    if (query.tailLines !== undefined) next = Math.max(next, run.entries.length - query.tailLines);
    let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
    let open = false;
    const { cuts } = run;
    for (;;) {
      const pieces: Buffer[] = [];
      let size = 0;
      const end = run.entries.length;
      if (run.skipsFiles === true) next = Math.max(next, run.rotated);
      for (; next < end && size < 1 << 20; next++) {
        const entry = run.entries[next]!;
        const isInLine = open;
        open = entry.partial;
        if (seconds !== undefined && entry.at.seconds < seconds) continue;
        const prefix = isInLine || query.timestamps !== true ? '' : `${zoned(entry.at, pod.zone)} `;
        const isLast = next === end - 1 && run.ended && entry.partial;
        pieces.push(
          Buffer.from(prefix),
          Buffer.from(entry.bytes),
          Buffer.from(entry.partial || isLast ? '' : '\n'),
        );
        size += entry.bytes.length + 32;
      }
      let bytes = Buffer.concat(pieces);
      if (bytes.length > left) bytes = bytes.subarray(0, left);
      left -= bytes.length;
      for (let at = 0; at < bytes.length; ) {
        const chunk = bytes.subarray(at, at + Math.max(1, this.chunkBytes()));
        at += chunk.length;
        signal?.throwIfAborted();
        yield Buffer.from(chunk);
      }
      if (left <= 0) return;
      if (next < run.entries.length) continue;
      if (query.follow !== true || run.ended || run.cuts !== cuts) return;
      await new Promise<void>((resolve, reject) => {
        const done = () => {
          this.#listeners.delete(done);
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = () => {
          this.#listeners.delete(done);
          reject(signal?.reason);
        };
        if (signal?.aborted) return onAbort();
        this.#listeners.add(done);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    }
  }

  async *#faulty(
    body: AsyncIterable<Uint8Array>,
    fault: FakeFault | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    if (fault === undefined || fault.kind === 'delay' || fault.kind === 'status' || fault.kind === 'refuse') {
      yield* body;
      return;
    }
    if (fault.kind === 'split') {
      for await (const chunk of body) {
        for (let at = 0; at < chunk.length; at += fault.chunkBytes)
          yield chunk.subarray(at, at + fault.chunkBytes);
      }
      return;
    }
    let left = fault.afterBytes;
    let struck = false;
    const strike = async (): Promise<boolean> => {
      struck = true;
      if (fault.kind === 'reset')
        throw new KubeError({ kind: 'connection', message: 'socket hang up', code: 'ECONNRESET' });
      if (fault.kind === 'stall') await sleep(this.#clock, fault.delayMs, signal);
      return fault.kind !== 'stall';
    };
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
      if (await strike()) {
        if (fault.kind === 'text') yield Buffer.from(fault.text);
        return;
      }
      yield chunk.subarray(Math.max(0, left));
      left = 0;
    }
  }
}

/** As the pod's status has it: to the second. */
function startOf(run: FakeRun | undefined): string {
  const at = run?.startedAt;
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

/** As the runtime of a node in that zone writes it. */
function zoned(at: Timestamp, zone: string): string {
  if (zone === 'Z') return formatTimestamp(at);
  const sign = zone.startsWith('-') ? -1 : 1;
  const offset = sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60);
  return formatTimestamp({ seconds: at.seconds + offset, nanos: at.nanos }).replace('Z', zone);
}
