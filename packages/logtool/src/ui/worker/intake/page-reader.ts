import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import { ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogQuery } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { watchSilence } from './watch-silence.ts';

export type EndFrame = Extract<LogFrame, { readonly type: 'end' }>;

/** A window that was read to its end. */
export interface Page {
  readonly sources: readonly LogSource[];
  readonly records: readonly WireRecord[];
  /** What was said beside the records: notices, gaps, containers that could not be read. */
  readonly told: readonly Extract<LogFrame, { readonly type: 'notice' | 'gap' | 'state' }>[];
  readonly end: Pick<EndFrame, 'prev' | 'next' | 'cut'>;
}

/** A page could not be read: what the server says, or that it broke off. */
export class PageError extends Error {
  readonly error: WireError;
  constructor(error: WireError) {
    super(error.what);
    this.name = 'PageError';
    this.error = error;
  }
}

const BROKEN_OFF: WireError = {
  code: 'page-cut',
  what: 'The connection was cut while lines were read',
  next: 'Try again.',
};

export interface PageOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Reads one window whole. Throws PageError, or the signal's reason. Once more after a cut: nothing was shown yet. */
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
  const sources: LogSource[] = [];
  const records: WireRecord[] = [];
  const told: Page['told'][number][] = [];
  let end: Page['end'] | undefined;
  const dead = new AbortController();
  const silence = watchSilence(clock, () => dead.abort());
  try {
    for await (const frames of api.stream('logs', {
      params: { context },
      body: { queries: [query] },
      signal: AbortSignal.any([signal, dead.signal]),
    })) {
      silence.heard();
      for (const frame of frames) {
        if (frame.type === 'sources') sources.push(...frame.sources);
        else if (frame.type === 'records') for (const record of frame.records) records.push(record);
        else if (frame.type === 'notice' || frame.type === 'gap' || frame.type === 'state') told.push(frame);
        else if (frame.type === 'end') end = frame;
        else if (frame.type === 'done') {
          if (frame.error !== undefined) throw new PageError(frame.error);
          if (end !== undefined) return { sources, records, told, end };
        }
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (dead.signal.aborted) throw new PageError(BROKEN_OFF);
    if (error instanceof ApiError) throw new PageError(error.error);
    throw error;
  } finally {
    silence.end();
  }
  if (end === undefined) throw new PageError(BROKEN_OFF);
  return { sources, records, told, end };
}
