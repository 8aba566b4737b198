import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import { answerStopped } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { RunToRead } from '../../backend/log-backend.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun, type Run } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { LineParser } from './line-parser.ts';

/** Number of lines to parse at a time. */
const BATCH_LINES = 128;
/** Number of lines if many containers wait for each other. For a single container it would take a third longer. */
const SMALL_BATCH_LINES = 64;
const MANY_CONTAINERS = 16;
/** A node that has begun to send a log reads on without a pause: only its answer can be slow to begin, ms. */
const STALLED_MS = 10_000;

/** One run of one container, as a log request names it. */
export interface RunAddress {
  readonly target: ContainerTarget;
  readonly identity: Run;
  /** Request the run before the current one. */
  readonly previous: boolean;
}

/** Options of a log request; with timestamps by default. */
export type LogRequest = Omit<LogQuery, 'namespace' | 'pod' | 'container' | 'previous'>;

/** Returns the address of a run of a container as last seen. */
export function addressRun(target: ContainerTarget, containerId: string, previous: boolean): RunAddress {
  return { target, identity: makeRun(target, containerId), previous };
}

/** Requests a log of the log API. */
export function requestLog(
  { client, signal }: Pick<ReadContext, 'client' | 'signal'>,
  query: LogQuery,
): Promise<LogResponse> {
  return client.log(query, { signal });
}

/**
 * Returns the body of a run's log, or of the answer to a guess; undefined if the pod has no node yet. Throws what the
 * client throws, classified by classifyFailure. Unless it is followed, a body that stalls fails: see endStalled.
 */
export async function openLog(
  context: ReadContext,
  { target, identity, previous }: RunAddress,
  request: LogRequest,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { namespace, pod, container } = target;
  const address = { namespace, pod, container, ...(previous ? { previous } : {}) };
  const query: LogQuery = { timestamps: true, ...address, ...request };
  const run = { target, containerId: identity.key.containerId };
  // A follow may be silent for long.
  if (request.follow === true) return bodyOf(await answerTo(context, run, query));
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const body = bodyOf(await answerTo({ ...context, signal }, run, query));
  return body && endStalled(body, { clock: context.clock, stop });
}

/**
 * Yields a body, and ends it with a connection error if nothing follows its beginning for STALLED_MS: whoever reads it
 * asks again, from where it stalled. `stop` ends the request of the body. The time that the consumer takes does not
 * count.
 */
async function* endStalled(
  body: AsyncIterable<Uint8Array>,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortController },
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  const onStall = () => stop.abort(answerStopped(STALLED_MS));
  const { signal } = stop;
  const stalled = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stalled.catch(() => undefined);
  try {
    for (let step = await chunks.next(); step.done !== true; ) {
      yield step.value;
      const cancel = clock.after(STALLED_MS, onStall);
      step = await Promise.race([chunks.next(), stalled]).finally(cancel);
    }
  } finally {
    const returned = chunks.return?.();
    // A stalled body may not even end.
    if (signal.aborted) returned?.catch(() => undefined);
    else await returned;
  }
}

function bodyOf({ status, body }: LogResponse): AsyncIterable<Uint8Array> | undefined {
  return status === 204 ? undefined : body;
}

async function answerTo(context: ReadContext, run: RunToRead, query: LogQuery): Promise<LogResponse> {
  if (context.backend !== undefined) return context.backend.open(run, query, context);
  return (await context.guess?.take(run.target, query)) ?? requestLog(context, query);
}

/**
 * Yields the lines of a small answer, in batches of this size; an unterminated one comes last. For a log that must be
 * resumed, see LogReader.
 */
export async function* peekLines(
  context: ReadContext,
  run: RunAddress,
  request: LogRequest,
  batchLines = BATCH_LINES,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const body = await openLog(context, run, request);
  if (body === undefined) return;
  const parser = new LineParser(run.identity, { seq: 0 });
  for await (const chunk of body) yield* linesOf(chunk, parser, batchLines);
  const rest = parser.end();
  if (rest !== undefined) yield [rest];
}

/**
 * Yields the records that are complete with this chunk, in batches, which the consumer may empty once used. Throws what
 * the parser throws, after the preceding records.
 */
export function* linesOf(
  chunk: Uint8Array,
  parser: LineParser,
  batchLines = BATCH_LINES,
): Generator<LogRecord[], void, undefined> {
  for (let at = 0; at < chunk.length; ) {
    const lines: LogRecord[] = [];
    let failure: { readonly error: unknown } | undefined;
    try {
      at = parser.push(chunk, lines, at, batchLines);
    } catch (error) {
      failure = { error };
    }
    yield lines;
    if (failure !== undefined) throw failure.error;
  }
}

/** Returns how many lines to convert to records at once, for this many simultaneous containers. */
export function batchLinesFor(containers: number): number {
  return containers > MANY_CONTAINERS ? SMALL_BATCH_LINES : BATCH_LINES;
}
