import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { Redactor } from '../../domain/redact/redactor.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import type { Selection } from '../../domain/window.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { type RecordLine, recordLine } from './answer/record-line.ts';
import { mcpFailure } from './failures.ts';
import type { ReadPlan } from './plan-read.ts';
import type { McpReader } from './reader.ts';
import { MAX_READ_MS, timeoutAfter } from './within-time.ts';

/** The result of a read, with what it could not read. */
export interface ReadPage {
  readonly lines: readonly RecordLine[];
  /** Lines that were read but not kept. */
  readonly dropped: number;
  /** The size of its lines ended the page. */
  readonly isFull: boolean;
  /** More records exist in the read direction, or may exist unread. */
  readonly hasMore: boolean;
  /** Stopped before the whole page was read. */
  readonly isStopped: boolean;
  readonly troubles: readonly Trouble[];
  /** The number of containers of the sources. */
  readonly containers: number;
}

/** What is missing from the sources, or may be. */
export type Trouble =
  | Extract<Frame, { readonly type: 'gap' | 'notice' }>
  | Extract<Frame, { readonly type: 'source' }>
  | { readonly type: 'failed'; readonly error: CodedError };

/** Each answer keeps this many; the rest are of the same kinds. */
const MAX_TROUBLES = 50;

export interface PageLimits {
  /** Maximum size of the page's lines, before fitting removes some. */
  readonly bytes: number;
  /** Maximum size of one message. */
  readonly messageBytes: number;
  /** Time limit of the read. */
  readonly ms: number;
}

/** Which of the read lines belong to a page. */
export interface KeptLines {
  /** Omits lines before this time. */
  readonly from?: Timestamp | undefined;
  /** Omits this many of the first lines at exactly that time. */
  readonly skip?: number | undefined;
  /** Omits lines after this time. */
  readonly to?: Timestamp | undefined;
}

/**
 * Reads one page with the engine. Throws the failure if it concerns all sources, and `read-too-slow` if it
 * found nothing in time.
 */
export async function readPage(
  reader: McpReader,
  client: KubeClient,
  { source, engine }: ReadPlan,
  { limits, kept }: { readonly limits: PageLimits; readonly kept: KeptLines },
  callSignal: AbortSignal,
): Promise<ReadPage> {
  const timeout = timeoutAfter(reader, limits.ms);
  const signal = AbortSignal.any([callSignal, timeout.signal]);
  const sources = new SourceWatch(reader.allowedNamespaces);
  const events = sources.watch(resolveSources(client, source, { follow: false, signal }));
  const redactor = reader.redacts ? new Redactor() : undefined;
  const collected = new CollectedPage(sources, redactor, {
    limits,
    kept,
    kind: engine.window.selection.kind,
  });
  let isStopped = false;
  try {
    const frames = readLogs({ client, clock: reader.clock, signal }, events, engine);
    for await (const frame of frames) if (!collected.take(frame)) break;
    // A stopped resolution looks like one without pods.
    signal.throwIfAborted();
  } catch (error) {
    callSignal.throwIfAborted();
    if (!timeout.signal.aborted) throw error;
    isStopped = true;
  } finally {
    timeout.cancel();
  }
  if (isStopped && collected.lines.length === 0) throw mcpFailure('read-too-slow', { limitMs: MAX_READ_MS });
  sources.throwIfNothing();
  return { ...collected.page(), isStopped };
}

/** Tracks the readable containers of the sources, and what cannot be read. */
export class SourceWatch {
  readonly troubles: Trouble[] = [];
  containers = 0;
  readonly #allowed: readonly string[];

  constructor(allowedNamespaces: readonly string[]) {
    this.#allowed = allowedNamespaces;
  }

  async *watch(events: AsyncIterable<ResolveEvent>): AsyncGenerator<ResolveEvent> {
    for await (const event of events) {
      if ('target' in event) {
        if (!isNamespaceAllowed(this.#allowed, event.target.namespace)) continue;
        if (event.type === 'added') this.containers++;
      } else if (event.type === 'failed') {
        this.trouble(event);
        continue;
      }
      yield event;
    }
  }

  trouble(trouble: Trouble): void {
    if (this.troubles.length < MAX_TROUBLES) this.troubles.push(trouble);
  }

  /** Throws the failure of the sources if they have no container. */
  throwIfNothing(): void {
    const failed = this.troubles.find((trouble) => trouble.type === 'failed');
    if (failed !== undefined && this.containers === 0) throw failed.error;
  }
}

interface CollectOptions {
  readonly limits: PageLimits;
  readonly kept: KeptLines;
  readonly kind: Selection['kind'];
}

/** The lines of one page. */
class CollectedPage {
  readonly lines: RecordLine[] = [];
  readonly #sources: SourceWatch;
  readonly #redactor: Redactor | undefined;
  readonly #options: CollectOptions;
  #skip: number;
  #bytes = 0;
  #dropped = 0;
  #isFull = false;
  #isCut = false;

  constructor(sources: SourceWatch, redactor: Redactor | undefined, options: CollectOptions) {
    this.#sources = sources;
    this.#redactor = redactor;
    this.#options = options;
    this.#skip = options.kept.skip ?? 0;
  }

  /** Takes what the engine yields. Returns false if the page is full. */
  take(frame: Frame): boolean {
    switch (frame.type) {
      case 'records':
        return this.#takeRecords(frame.records);
      case 'end':
        this.#isCut = frame.cut;
        return true;
      case 'source':
        if (frame.state === 'failed' || frame.state === 'waiting') this.#sources.trouble(frame);
        return true;
      case 'gap':
      case 'notice':
        this.#sources.trouble(frame);
        return true;
      case 'answered':
      case 'bytes':
      case 'progress':
      case 'unanswered':
        return true;
    }
  }

  #takeRecords(records: readonly LogRecord[]): boolean {
    const { limits, kind } = this.#options;
    for (const record of records) {
      if (!this.#isKept(record.at)) {
        this.#dropped++;
        continue;
      }
      const line = recordLine(record, this.#redactor, limits.messageBytes);
      this.lines.push(line);
      this.#bytes += line.fields.message.length + 1;
    }
    // A tail's beginning comes first, but only its end is certain to be shown.
    this.#isFull = kind !== 'tail' && this.#bytes > limits.bytes;
    return !this.#isFull;
  }

  #isKept(at: Timestamp): boolean {
    const { from, to } = this.#options.kept;
    if (to !== undefined && compareTimestamps(at, to) > 0) return false;
    if (from === undefined) return true;
    const order = compareTimestamps(at, from);
    if (order !== 0 || this.#skip === 0) return order >= 0;
    this.#skip--;
    return false;
  }

  page(): Omit<ReadPage, 'isStopped'> {
    const { troubles, containers } = this.#sources;
    return {
      lines: this.lines,
      dropped: this.#dropped,
      isFull: this.#isFull,
      hasMore: this.#isFull || this.#isCut,
      troubles,
      containers,
    };
  }
}
