import type { KubeClient } from '@logtool/kube/src/client.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { countAt, type PageCursor } from './answer/cursor.ts';
import { fitLines } from './answer/fit-lines.ts';
import type { RecordLine } from './answer/record-line.ts';
import { mcpFailure } from './failures.ts';
import { type PageRequest, planRead, type ReadArguments } from './plan-read.ts';
import { type KeptLines, type ReadPage, readPage } from './read-page.ts';
import type { McpReader } from './reader.ts';
import { MAX_READ_MS } from './within-time.ts';

/** Minimum size of a line in an answer, roughly: its time, pod and container. */
const MIN_LINE_BYTES = 56;
const MAX_MESSAGE_BYTES = 8 * 1024;
/**
 * A filter applies to whole records, whose lines may be on both sides of a page's border, so each read goes
 * this far beyond it. Most programs write all lines of a stack trace within a millisecond.
 */
const BORDER_SECONDS = 5;
/**
 * If a page loses most of its lines to its cursor's limits, it is read again with this many times the count.
 */
const GROWTH = 4;
const MAX_COUNT = 400_000;

/** What stays the same for all reads of a call. */
export interface PageSources {
  readonly reader: McpReader;
  readonly client: KubeClient;
  readonly given: ReadArguments;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Reads pages of what the arguments of one call select; each page is a continuous part of the filtered order.
 */
export class PageReader {
  readonly #sources: PageSources;
  readonly #startedMs: number;
  /** The maximum number of lines that a page could show. */
  readonly count: number;
  /** Whether filters apply to whole records. */
  readonly #isWhole: boolean;

  constructor(sources: PageSources) {
    const { given, maxBytes, reader } = sources;
    this.#sources = sources;
    this.#startedMs = reader.clock.steady();
    this.count = Math.ceil(maxBytes / MIN_LINE_BYTES);
    this.#isWhole = given.grep !== undefined || [given.level ?? []].flat().length > 0;
  }

  /** Reads the first lines from the cursor, or from the start of the range. */
  async first(cursor: PageCursor | undefined, wanted = this.count): Promise<ReadPage> {
    const skip = cursor?.shown ?? 0;
    const from = cursor && this.#beyond(cursor.at, -BORDER_SECONDS);
    for (let count = wanted + skip; ; count *= GROWTH) {
      const page = await this.#read({ count, end: 'head', from }, { from: cursor?.at, skip });
      // If the count omits records, their first lines may belong among the last lines of the records before
      // them.
      const certain = this.#isWhole && page.hasMore ? Math.max(0, count - page.dropped) : page.lines.length;
      const lines = page.lines.slice(0, certain);
      const isEnough = lines.length > 0 && (page.isFull || lines.length * GROWTH >= wanted);
      if (!page.hasMore || page.isStopped || isEnough || count > MAX_COUNT) return { ...page, lines };
    }
  }

  /** Reads the last lines before the cursor, or of the range. */
  async last(cursor: PageCursor | undefined, wanted = this.count): Promise<ReadPage> {
    const end = cursor && endOf(cursor);
    const to = end && this.#beyond(end, BORDER_SECONDS);
    for (let count = wanted + (cursor?.shown ?? 0); ; count *= GROWTH) {
      const page = await this.#read({ count, end: 'tail', to }, { to: end });
      const lines = withoutLast(page.lines, cursor);
      const isEnough = lines.length * GROWTH >= wanted;
      if (page.hasMore && !isEnough && count <= MAX_COUNT) continue;
      if (!this.#isWhole || !page.hasMore) return { ...page, lines };
      return this.#withoutHoles({ ...page, lines }, { end, to, cursor });
    }
  }

  /** Counts the lines at exactly this time. */
  async countAt(at: Timestamp): Promise<number> {
    const page = await this.#read(
      {
        count: MAX_COUNT,
        end: 'head',
        from: this.#beyond(at, -BORDER_SECONDS),
        to: this.#beyond(at, BORDER_SECONDS),
      },
      { from: at, to: at },
      Number.POSITIVE_INFINITY,
    );
    return countAt(page.lines, at);
  }

  /** Reads all lines at exactly this time. */
  async allAt(at: Timestamp): Promise<ReadPage> {
    return this.#read({ count: MAX_COUNT, end: 'head', from: at, to: at }, {}, Number.POSITIVE_INFINITY);
  }

  /**
   * A tail of whole records omits those that begin before its first record, although their last lines may
   * belong among its lines. If the shown part is near the beginning, reads it forward instead.
   */
  async #withoutHoles(
    page: ReadPage,
    {
      end,
      to,
      cursor,
    }: {
      readonly end: Timestamp | undefined;
      readonly to: Timestamp | undefined;
      readonly cursor: PageCursor | undefined;
    },
  ): Promise<ReadPage> {
    const { maxBytes } = this.#sources;
    const shown = fitLines(page.lines, { end: 'tail', room: { text: maxBytes, structured: maxBytes } });
    const [first, start] = [page.lines[0], shown.lines[0]];
    if (first === undefined || start === undefined) return page;
    if (compareTimestamps(moved(first.at, BORDER_SECONDS), start.at) < 0)
      return { ...page, lines: shown.lines };
    const exact = await this.#read(
      { count: MAX_COUNT, end: 'head', from: moved(start.at, -BORDER_SECONDS), to },
      { from: start.at, to: end },
      Number.POSITIVE_INFINITY,
    );
    if (exact.isStopped || exact.hasMore) throw mcpFailure('read-too-slow', { limitMs: MAX_READ_MS });
    return { ...page, lines: withoutLast(exact.lines, cursor) };
  }

  /** All reads of a call share one time limit. */
  async #read(page: PageRequest, kept: KeptLines, bytes = this.#sources.maxBytes): Promise<ReadPage> {
    const { reader, client, given, maxBytes, signal } = this.#sources;
    const plan = await planRead(reader, client, given, page);
    const limits = {
      bytes,
      messageBytes: Math.min(MAX_MESSAGE_BYTES, Math.floor(maxBytes / 3)),
      ms: Math.max(0, this.#startedMs + MAX_READ_MS - reader.clock.steady()),
    };
    return readPage(reader, client, plan, { limits, kept }, signal);
  }

  #beyond(at: Timestamp, seconds: number): Timestamp {
    return this.#isWhole ? moved(at, seconds) : at;
  }
}

/** Returns the last time before the cursor. */
function endOf({ at, shown }: PageCursor): Timestamp {
  if (shown !== undefined) return at;
  return at.nanos === 0
    ? { seconds: at.seconds - 1, nanos: 999_999_999 }
    : { seconds: at.seconds, nanos: at.nanos - 1 };
}

function moved({ seconds, nanos }: Timestamp, by: number): Timestamp {
  return { seconds: seconds + by, nanos };
}

/** Removes the last lines at the cursor's time, which a later page has. */
function withoutLast(lines: readonly RecordLine[], cursor: PageCursor | undefined): readonly RecordLine[] {
  if (cursor?.shown === undefined) return lines;
  const ofTime = countAt(lines, cursor.at);
  return lines.slice(0, lines.length - Math.min(ofTime, cursor.shown));
}
