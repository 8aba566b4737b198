import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import { ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogQuery } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { brokenOff, untilSilent } from './watch-silence.ts';

export type EndFrame = Extract<LogFrame, { readonly type: 'end' }>;

/** A window that was read to its end. */
export interface Page {
  readonly sources: readonly LogSource[];
  readonly records: readonly WireRecord[];
  /** What arrived beside the records: notices, gaps, containers that could not be read. */
  readonly reports: readonly Extract<LogFrame, { readonly type: 'notice' | 'gap' | 'state' }>[];
  readonly end: Pick<EndFrame, 'prev' | 'next' | 'cut'>;
}

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

/**
 * Reads one complete window. Retries once after a cut, because nothing was shown yet. Throws PageError, or the signal's
 * reason.
 */
export async function readPage(
  api: ApiClient,
  context: string,
  query: LogQuery,
  options: PageOptions,
): Promise<Page> {
  try {
    return await readOnce(api, context, query, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof PageError) || error.error.code !== BROKEN_OFF.code) throw error;
    return await readOnce(api, context, query, options);
  }
}

async function readOnce(
  api: ApiClient,
  context: string,
  query: LogQuery,
  { signal, clock }: PageOptions,
): Promise<Page> {
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
      case 'answered':
      case 'progress':
      case 'heartbeat':
      case 'closing':
        return;
      default:
        frame satisfies never;
    }
  }

  /** Returns the page. Throws PageError if the connection broke off before the window was complete. */
  page(): Page {
    if (this.#end === undefined) throw new PageError(BROKEN_OFF);
    return { sources: this.#sources, records: this.#records, reports: this.#reports, end: this.#end };
  }
}
