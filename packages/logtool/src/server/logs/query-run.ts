import { setMaxListeners } from 'node:events';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { openBackend } from '../../backend/open-backend.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import type { LogQuery } from '../../contract/log-query.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import type { EngineContext, ResumePlan } from '../../stream/plan/engine.ts';
import type { FrameSource } from '../ndjson/frame-source.ts';
import { line } from '../ndjson/ndjson-answer.ts';
import { toWireError } from '../to-wire-error.ts';
import { FrameWriter } from './frame-writer.ts';
import type { QueryPlan } from './plan-query.ts';
import { SourceTable } from './source-table.ts';
import { toWireScan } from './to-wire-frame.ts';

/** Maximum time that a record waits for others to share its batch. */
const BATCH_MS = 50;
/** Maximum bytes that wait for the reader; above it the engine is not asked for more. */
const WAITING_BYTES = 256 * 1024;
/** Maximum sources per frame. */
const SOURCES = 200;

export interface QueryOptions {
  readonly query: LogQuery;
  readonly plan: QueryPlan;
  /** Reads the logs of the query. */
  readonly read: (
    context: EngineContext,
    sources: AsyncIterable<ResolveEvent>,
  ) => AsyncIterable<Frame | ScanFrame>;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Source arguments from the page, by those that are read for them. */
  readonly givenBy: ReadonlyMap<string, readonly string[]>;
  /** Whether logs of a namespace may be shown at all. */
  readonly isAllowed: (namespace: string) => boolean;
  /** Result of personOf for the session. */
  readonly person: string;
  /** Reports that something is due. */
  readonly wake: () => void;
  readonly onRecords?: ((records: readonly LogRecord[]) => void) | undefined;
}

/** Whether the cluster did not answer, which is no verdict about a source. */
export function isAway({ cause }: CodedError): boolean {
  return isKubeError(cause, 'connection');
}

/** One query of a log stream, from the cluster to lines of the answer. */
export class QueryRun implements FrameSource {
  readonly #options: QueryOptions;
  readonly #table = new SourceTable();
  readonly #writer: FrameWriter;
  readonly #abort = new AbortController();
  #synced = false;
  #failed = false;
  #over = false;
  #batchAtMs = Number.NEGATIVE_INFINITY;
  #cancelBatch: (() => void) | undefined;
  #room: (() => void) | undefined;

  constructor(options: QueryOptions) {
    this.#options = options;
    this.#writer = new FrameWriter(options.query.id, this.#table);
    setMaxListeners(0, this.#abort.signal);
    void this.#run();
  }

  get ended(): boolean {
    return this.#over && this.#writer.pieces.length === 0;
  }

  take(): Uint8Array | undefined {
    const changed = this.#takeSources();
    if (changed !== undefined) return changed;
    const piece = this.#writer.take();
    if (piece !== undefined && this.#writer.waitingBytes < WAITING_BYTES) this.#room?.();
    return piece;
  }

  close(): void {
    this.#cancelBatch?.();
    this.#abort.abort(new Error('the view was closed'));
    this.#room?.();
  }

  /** Takes the changed containers: before the records that name them, but not one by one during resolution. */
  #takeSources(): Uint8Array | undefined {
    if (!this.#table.hasChanged || !(this.#synced || this.#writer.pieces.length > 0)) return undefined;
    const q = this.#options.query.id;
    const sources = this.#table.takeChanged();
    const lines: Uint8Array[] = [];
    for (let at = 0; at < sources.length; at += SOURCES) {
      lines.push(line({ type: 'sources', q, sources: sources.slice(at, at + SOURCES) }));
    }
    return lines.length === 0 ? undefined : Buffer.concat(lines);
  }

  async #run(): Promise<void> {
    const { client, clock, read, query, wake, person } = this.#options;
    const { signal } = this.#abort;
    let failure: unknown;
    try {
      const backend = await openBackend({ rotated: query.rotated ?? 'no' }, client, clock);
      for await (const frame of read({ client, clock, signal, person, backend }, this.#events())) {
        this.#write(frame);
        if (this.#writer.pieces.length > 0) wake();
        await this.#waitForRoom();
        if (signal.aborted) break;
      }
    } catch (error) {
      failure = error;
    }
    this.#cancelBatch?.();
    if (!signal.aborted) {
      const error = failure === undefined ? undefined : toWireError(failure, client.cluster);
      const isFinal = failure instanceof CodedError && failure.exit === 'usage';
      this.#synced = true;
      this.#writer.frame({ type: 'done', q: query.id, error, final: isFinal || undefined });
    }
    this.#over = true;
    wake();
  }

  #write(frame: Frame | ScanFrame): void {
    switch (frame.type) {
      case 'records':
      case 'hits':
        this.#writer.records(frame.records);
        this.#options.onRecords?.(frame.records);
        if (frame.type === 'hits') this.#writer.closeBatch();
        else this.#closeBatchInTime();
        return;
      case 'counts':
      case 'coverage':
      case 'scanning':
      case 'scanned':
        this.#writer.frame(toWireScan(frame, this.#options.query.id));
        return;
      case 'answered':
      case 'bytes':
      case 'end':
      case 'gap':
      case 'notice':
      case 'progress':
      case 'source':
      case 'unanswered':
        this.#writer.engineFrame(frame);
        return;
      default:
        frame satisfies never;
    }
  }

  /** Yields the events of resolution, and updates the table on the way. */
  async *#events(): AsyncGenerator<ResolveEvent> {
    const { client, plan, givenBy, isAllowed, wake } = this.#options;
    const order = [...new Set([...givenBy.values()].flat())];
    const options = {
      follow: plan.engine.window.follow,
      signal: this.#abort.signal,
      onClaims: (id: string, read: readonly string[]) => {
        const given = new Set(read.flatMap((argument) => givenBy.get(argument) ?? []));
        const inOrder = order.filter((argument) => given.has(argument));
        if (inOrder.length > 0) this.#table.claim(id, inOrder);
      },
    };
    for await (const event of resolveSources(client, plan.source, options)) {
      if ('target' in event && !isAllowed(event.target.namespace)) continue;
      this.#note(event);
      if (this.#synced && this.#table.hasChanged) wake();
      yield event;
    }
  }

  /** Throws the failure that hides which containers exist. */
  #note(event: ResolveEvent): void {
    if ('target' in event) this.#table.see(event.target);
    else if (event.type === 'synced') this.#onSynced();
    else if (event.type === 'failed') {
      // The existing containers are still unknown: the page must retry, and must not take this for a complete list.
      if (isAway(event.error)) throw event.error;
      this.#failed = true;
    } else event.type satisfies 'closing' | 'notice';
  }

  #onSynced(): void {
    this.#synced = true;
    const { plan, query } = this.#options;
    if (this.#failed) return;
    const missing = missingContainers(query.id, plan.engine.resume, this.#table);
    if (missing !== undefined) this.#writer.frame(missing);
  }

  /** Closes a batch at once after a pause, otherwise a fixed time after the previous one. */
  #closeBatchInTime(): void {
    if (!this.#writer.hasOpenBatch) return;
    const { clock, wake } = this.#options;
    const closeNow = () => {
      this.#cancelBatch = undefined;
      this.#batchAtMs = clock.steady();
      this.#writer.closeBatch();
      wake();
    };
    const restMs = this.#batchAtMs + BATCH_MS - clock.steady();
    if (restMs <= 0) {
      this.#cancelBatch?.();
      closeNow();
    } else this.#cancelBatch ??= clock.after(restMs, closeNow);
  }

  async #waitForRoom(): Promise<void> {
    while (this.#writer.waitingBytes >= WAITING_BYTES && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#room = resolve;
      });
      this.#room = undefined;
    }
  }
}

/** Returns a notice of the containers of a resumed view that no longer exist: the view has lost their last lines. */
function missingContainers(
  q: number,
  resume: ResumePlan | undefined,
  present: { has(id: string): boolean },
): LogFrame | undefined {
  if (resume === undefined) return undefined;
  const ids = [...resume.points.keys()].filter((id) => !present.has(id));
  if (ids.length === 0) return undefined;
  return { type: 'notice', q, code: 'deleted-meanwhile', data: { ids } };
}
