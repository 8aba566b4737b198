import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import { Redactor } from '../../domain/redact/redactor.ts';
import type { SourceEvent } from '../../domain/source-event.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { readLogs } from '../../stream/read-logs.ts';
import { type RecordLine, recordLine } from './answer/record-line.ts';
import { mcpFailure } from './failures.ts';
import type { ReadPlan } from './plan-read.ts';
import type { McpReader } from './reader.ts';

/** What a read found, and what it could not read. */
export interface ReadPage {
  readonly lines: readonly RecordLine[];
  /** Records beyond the page exist on the side to which it was read, or were not read. */
  readonly hasMore: boolean;
  /** Where the page beyond begins or ends, of a plan with cursors. */
  readonly edge: Cursor | undefined;
  /** Stopped before all of the page was read. */
  readonly isStopped: boolean;
  readonly troubles: readonly Trouble[];
  /** Containers of the sources. */
  readonly containers: number;
}

/** What of the sources is missing, or may be. */
export type Trouble =
  | Extract<Frame, { readonly type: 'gap' | 'notice' }>
  | Extract<Frame, { readonly type: 'source' }>
  | { readonly type: 'failed'; readonly error: CodedError };

/** Shorter than clients wait for an answer: many give up after 60 s. */
export const MAX_READ_MS = 25_000;
/** So many are kept of each answer; the rest are of the same kinds. */
const MAX_TROUBLES = 50;

export interface PageLimits {
  /** Of the lines of the page, before what has no room is left out. */
  readonly bytes: number;
  /** Of one message. */
  readonly messageBytes: number;
}

/**
 * Reads one page through the engine. Throws a failure of all sources together, and `read-too-slow` where nothing was
 * found in time.
 */
export async function readPage(
  reader: McpReader,
  client: KubeClient,
  { source, engine }: ReadPlan,
  limits: PageLimits,
  callSignal: AbortSignal,
): Promise<ReadPage> {
  const timeout = timeoutAfter(reader, MAX_READ_MS);
  const signal = AbortSignal.any([callSignal, timeout.signal]);
  const sources = new SourceWatch(reader.allowedNamespaces);
  const events = sources.watch(resolveSources(client, source, { follow: false, signal }));
  const redactor = reader.redacts ? new Redactor() : undefined;
  const collected = new CollectedPage(sources, redactor, limits, engine.window.selection.kind);
  let isStopped = false;
  try {
    const frames = readLogs({ client, clock: reader.clock, signal }, events, engine);
    for await (const frame of frames) if (!collected.take(frame)) break;
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

/** A signal of its own, so that a call that is over leaves no timer behind. */
function timeoutAfter({ clock }: McpReader, ms: number) {
  const controller = new AbortController();
  const cancel = clock.after(ms, () => controller.abort());
  return { signal: controller.signal, cancel };
}

/** The containers of the sources that may be read, and what of them cannot be. */
export class SourceWatch {
  readonly troubles: Trouble[] = [];
  containers = 0;
  readonly #allowed: readonly string[];

  constructor(allowedNamespaces: readonly string[]) {
    this.#allowed = allowedNamespaces;
  }

  async *watch(events: AsyncIterable<SourceEvent>): AsyncGenerator<SourceEvent> {
    for await (const event of events) {
      if ('target' in event) {
        if (this.#allowed.length > 0 && !this.#allowed.includes(event.target.namespace)) continue;
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

  /** Throws the failure of the sources if they have no container at all. */
  throwIfNothing(): void {
    const failed = this.troubles.find((trouble) => trouble.type === 'failed');
    if (failed !== undefined && this.containers === 0) throw failed.error;
  }
}

/** The lines of one page. */
class CollectedPage {
  readonly lines: RecordLine[] = [];
  readonly #sources: SourceWatch;
  readonly #redactor: Redactor | undefined;
  readonly #limits: PageLimits;
  readonly #kind: string;
  #bytes = 0;
  #hasMore = false;
  #edge: Cursor | undefined;

  constructor(sources: SourceWatch, redactor: Redactor | undefined, limits: PageLimits, kind: string) {
    this.#sources = sources;
    this.#redactor = redactor;
    this.#limits = limits;
    this.#kind = kind;
  }

  /** Takes what the engine yields; false: there is room for no more. */
  take(frame: Frame): boolean {
    switch (frame.type) {
      case 'records':
        for (const record of frame.records) {
          const line = recordLine(record, this.#redactor, this.#limits.messageBytes);
          this.lines.push(line);
          this.#bytes += line.fields.message.length + 1;
        }
        // The beginning of a tail comes first: only its end is certain to be shown.
        if (this.#kind !== 'head' || this.#bytes <= this.#limits.bytes) return true;
        this.#hasMore = true;
        return false;
      case 'end':
        this.#hasMore = frame.cut;
        this.#edge = this.#kind === 'head' ? frame.next : frame.prev;
        return true;
      case 'source':
        if (frame.state === 'failed' || frame.state === 'waiting') this.#sources.trouble(frame);
        return true;
      case 'gap':
      case 'notice':
        this.#sources.trouble(frame);
        return true;
      default:
        return true;
    }
  }

  page(): Omit<ReadPage, 'isStopped'> {
    // Late records come after later ones; a page is in the total order.
    const lines = this.lines.toSorted((a, b) => compareTimestamps(a.at, b.at));
    const { troubles, containers } = this.#sources;
    return { lines, hasMore: this.#hasMore, edge: this.#edge, troubles, containers };
  }
}
