import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeSource, type Source } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { LineParser } from './line-parser.ts';

/** Lines are read from their bytes this many at a time. */
const BATCH_LINES = 128;
/** Where many containers wait for one another with theirs. A single one would take a third more time so. */
const SMALL_BATCH_LINES = 64;
const MANY_CONTAINERS = 16;

/** One run of one container, as the log API is asked for it. */
export interface RunAddress {
  readonly target: ContainerTarget;
  readonly source: Source;
  /** Ask for the run before the present one. */
  readonly previous: boolean;
}

/** What the log of a run is asked for; with timestamps by default. */
export type LogRequest = Omit<LogQuery, 'namespace' | 'pod' | 'container' | 'previous'>;

/** The address of a run of a container as last seen. */
export function addressRun(target: ContainerTarget, containerId: string, previous: boolean): RunAddress {
  return { target, source: makeSource(target, containerId), previous };
}

/** Asks the log API: nothing else in the engine does. */
export function requestLog(
  { client, signal }: Pick<ReadContext, 'client' | 'signal'>,
  query: LogQuery,
): Promise<LogResponse> {
  return client.log(query, { signal });
}

/**
 * The body of a run's log, or of the answer that a guess has brought already; undefined if the pod has no node yet.
 * Throws what the client throws, sorted by classifyFailure.
 */
export async function openLog(
  context: ReadContext,
  { target, previous }: RunAddress,
  request: LogRequest,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { namespace, pod, container } = target;
  const address = { namespace, pod, container, ...(previous ? { previous } : {}) };
  const query: LogQuery = { timestamps: true, ...address, ...request };
  const guessed = await context.guess?.take(target, query);
  const { status, body } = guessed ?? (await requestLog(context, query));
  return status === 204 ? undefined : body;
}

/**
 * The lines of a small answer, in batches of so many. One without its end comes last. For a log that is read on, see
 * LogReader.
 */
export async function* peekLines(
  context: ReadContext,
  run: RunAddress,
  request: LogRequest,
  batchLines = BATCH_LINES,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const body = await openLog(context, run, request);
  if (body === undefined) return;
  const parser = new LineParser(run.source, { seq: 0 });
  for await (const chunk of body) yield* linesOf(chunk, parser, batchLines);
  const rest = parser.end();
  if (rest !== undefined) yield [rest];
}

/**
 * The records that are complete with this chunk, in batches, which the consumer may empty once used. Throws
 * what the parser throws, after the records before it.
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

/** How many lines to turn into records at once, if this many containers are read at the same time. */
export function batchLinesFor(containers: number): number {
  return containers > MANY_CONTAINERS ? SMALL_BATCH_LINES : BATCH_LINES;
}
