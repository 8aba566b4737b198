import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
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
 * client throws, classified by classifyFailure.
 */
export async function openLog(
  context: ReadContext,
  { target, identity, previous }: RunAddress,
  request: LogRequest,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { namespace, pod, container } = target;
  const address = { namespace, pod, container, ...(previous ? { previous } : {}) };
  const query: LogQuery = { timestamps: true, ...address, ...request };
  const { status, body } = await answerTo(context, { target, containerId: identity.key.containerId }, query);
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
