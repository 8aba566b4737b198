import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import { ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogQuery } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { brokenOff, untilSilent } from '../../api/watch-silence.ts';

export type EndFrame = Extract<LogFrame, { readonly type: 'end' }>;

/** A window that was read to its end. */
export interface Page {
  readonly sources: readonly LogSource[];
  readonly records: readonly WireRecord[];
  /** What arrived beside the records: notices, gaps, containers that could not be read. */
  readonly reports: readonly Extract<LogFrame, { readonly type: 'notice' | 'gap' | 'state' }>[];
  readonly end: Pick<EndFrame, 'prev' | 'next' | 'cut'>;
}

/** A page without the containers (LogSource.id) that did not answer in time. */
export interface AnsweredPage extends Page {
  readonly late: readonly string[];
}

/** Containers that do not answer within this time are left out of a page. */
export const PAGE_PATIENCE_MS = 4_000;

/** Thrown when a page cannot be read: the server's error, or that the connection broke off. */
export class PageError extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.code);
    this.name = 'PageError';
    this.error = error;
  }
}

const BROKEN_OFF = brokenOff().error;

export interface PageOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface PatientOptions extends PageOptions {
  /** Containers (LogSource.id) that are known not to answer: they are left out at once. */
  readonly silent: readonly string[];
  /** Whether containers remain if these are left out; if not, the page waits for the first answer. */
  readonly isEnough: (silent: readonly string[]) => boolean;
}

/**
 * Reads one complete window. Retries once after a cut, because nothing was shown yet. Throws PageError, or the signal's
 * reason.
 */
export async function readPage(
  api: ApiClient,
  context: string,
  query: LogQuery,
  options: ReadOptions,
): Promise<ReadPage> {
  try {
    return await readOnce(api, context, query, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof PageError) || error.error.code !== BROKEN_OFF.code) throw error;
    return await readOnce(api, context, query, options);
  }
}

/**
 * Reads one complete window of the containers that answer: if some do not, it reads the window again without them.
 * `queryOf` returns the query for a page without these containers (LogSource.id). Throws like `readPage`.
 */
export async function readAnswered(
  api: ApiClient,
  context: string,
  queryOf: (without: readonly string[]) => LogQuery,
  options: PatientOptions,
): Promise<AnsweredPage> {
  let late = options.isEnough(options.silent) ? options.silent : [];
  for (;;) {
    const query = {
      ...queryOf(late),
      patienceMs: PAGE_PATIENCE_MS,
      ...(late.length === 0 ? {} : { without: [...late] }),
    };
    const left = late;
    const page = await readPage(api, context, query, {
      ...options,
      isOver: (silent) => silent.length > 0 && options.isEnough([...left, ...silent]),
    });
    if (page.silent.length === 0) return { ...page, late };
    late = [...new Set([...late, ...page.silent])];
  }
}

/** A window, or as much of it as was read when it became clear that these containers do not answer. */
interface ReadPage extends Page {
  readonly silent: readonly string[];
}

interface ReadOptions extends PageOptions {
  /** Whether to stop reading because these containers do not answer. */
  readonly isOver?: (silent: readonly string[]) => boolean;
}

async function readOnce(
  api: ApiClient,
  context: string,
  query: LogQuery,
  { signal, clock, isOver }: ReadOptions,
): Promise<ReadPage> {
  const draft = new PageDraft();
  const open = (either: AbortSignal) =>
    api.stream('POST /contexts/{context}/logs', {
      params: { context },
      body: { queries: [query] },
      signal: either,
    });
  try {
    for await (const frames of untilSilent(open, { signal, clock })) {
      for (const frame of frames) draft.take(frame);
      if (draft.isDone) break;
      if (isOver?.(draft.silent) === true) return draft.unfinished();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ApiError ? new PageError(error.error) : error;
  }
  return draft.page();
}

/** A page while its frames arrive. */
class PageDraft {
  readonly #sources: LogSource[] = [];
  readonly #records: WireRecord[] = [];
  readonly #reports: Page['reports'][number][] = [];
  readonly #silent = new Set<number>();
  #end: Page['end'] | undefined;
  /** Whether the server has ended the query, so that the window is complete. */
  isDone = false;

  /** Takes a frame. Throws PageError if the server could not read the window. */
  take(frame: LogFrame): void {
    switch (frame.type) {
      case 'sources':
        this.#sources.push(...frame.sources);
        return;
      case 'records':
        for (const record of frame.records) this.#records.push(record);
        return;
      case 'notice':
      case 'gap':
      case 'state':
        this.#reports.push(frame);
        return;
      case 'end':
        this.#end = frame;
        return;
      case 'done':
        if (frame.error !== undefined) throw new PageError(frame.error);
        this.isDone = this.#end !== undefined;
        return;
      case 'unanswered':
        for (const source of frame.sources) this.#silent.add(source);
        return;
      case 'answered':
        for (const source of frame.sources) this.#silent.delete(source);
        return;
      case 'progress':
      case 'heartbeat':
      case 'closing':
        return;
      default:
        frame satisfies never;
    }
  }

  /** Returns the page. Throws PageError if the connection broke off before the window was complete. */
  page(): ReadPage {
    if (this.#end === undefined) throw new PageError(BROKEN_OFF);
    return { ...this.unfinished(), end: this.#end };
  }

  /** Returns what has arrived. */
  unfinished(): ReadPage {
    const { silent } = this;
    return {
      sources: this.#sources,
      records: this.#records,
      reports: this.#reports,
      end: { cut: true },
      silent,
    };
  }

  /** Containers (LogSource.id) that the server reported as unanswered. */
  get silent(): readonly string[] {
    if (this.#silent.size === 0) return [];
    return [...new Set(this.#sources.filter(({ index }) => this.#silent.has(index)).map(({ id }) => id))];
  }
}
