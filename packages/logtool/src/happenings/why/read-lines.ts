import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { LogLack } from '../../domain/verdicts/log-lack.ts';
import type { Window } from '../../domain/window.ts';
import type { ReadLines } from './evidence.ts';
import { readFailureOf } from './read-failure.ts';
import type { WantedLines } from './wanted-lines.ts';

/**
 * Reads a window of the log of one container. The caller supplies the engine, which this folder does not
 * import. `previousMs`: how long to wait for lines of an earlier run before reading on with the next, in ms.
 */
export type ReadLog = (
  target: ContainerTarget,
  window: Window,
  signal: AbortSignal,
  previousMs?: number,
) => AsyncIterable<Frame>;

/** Lines before an end. */
const TAIL = 20;
/** Around a moment: seconds to each side, and the maximum lines. */
const AROUND_SECONDS = 10;
const AROUND_LINES = 500;
/** Lines shown from those. */
const SHOWN = 5;
const MAX_READS = 5;

/** A node that does not answer must not delay the verdict. */
const PATIENCE_MS = 5_000;

interface Waiting {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Reads the lines for each fact; an unreadable log yields its failure, and the others continue. */
export async function readLines(
  wanted: readonly WantedLines[],
  readLog: ReadLog,
  { signal, clock }: Waiting,
): Promise<ReadonlyMap<string, ReadLines>> {
  const found = await inParallel(
    MAX_READS,
    wanted,
    async (want) => [want, await readOne(want, readLog, { signal, clock })] as const,
  );
  const lines = new Map<string, ReadLines>();
  for (const [{ factId }, read] of found)
    if (read !== undefined && !lines.has(factId)) lines.set(factId, read);
  return lines;
}

async function readOne(
  want: WantedLines,
  readLog: ReadLog,
  { signal, clock }: Waiting,
): Promise<ReadLines | undefined> {
  const patience = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => patience.abort());
  try {
    const frames = readLog(want.target, windowOf(want), AbortSignal.any([signal, patience.signal]));
    return await collect(want, frames);
  } catch (error) {
    if (signal.aborted) throw error;
    if (patience.signal.aborted) return { failed: 'no-answer' };
    if (isKubeError(error)) return failureOf(error);
    throw error;
  } finally {
    cancel();
  }
}

function windowOf(want: WantedLines): Window {
  if (want.kind === 'before-exit')
    return {
      selection: { kind: 'tail', count: TAIL },
      follow: false,
      previous: want.isPrevious ? 'only' : 'no',
    };
  return {
    selection: { kind: 'head', count: AROUND_LINES },
    from: { kind: 'inclusive', at: moved(want.at, -AROUND_SECONDS) },
    to: { kind: 'inclusive', at: moved(want.at, AROUND_SECONDS) },
    follow: false,
    previous: 'no',
  };
}

function moved({ seconds }: Timestamp, by: number): Timestamp {
  return { seconds: seconds + by, nanos: 0 };
}

async function collect(want: WantedLines, frames: AsyncIterable<Frame>): Promise<ReadLines | undefined> {
  const records: LogRecord[] = [];
  let failed: Unread | undefined;
  for await (const frame of frames) {
    if (frame.type === 'records') records.push(...frame.records);
    failed ??= lackOf(frame);
  }
  if (failed !== undefined && records.length === 0) return want.kind === 'around' ? undefined : failed;
  return want.kind === 'around' ? around(want, records) : linesOf(want, records);
}

/** Returns why lines are missing: without lines, it is not known that there were none. */
function lackOf(frame: Frame): Unread | undefined {
  if (frame.type === 'gap') return { failed: frame.cause.code };
  if (frame.type === 'notice' && frame.code === 'run-removed') return { failed: frame.code };
  if (frame.type !== 'source') return undefined;
  if (frame.state === 'failed') return failureOf(frame.error);
  return frame.state === 'waiting' || frame.state === 'left' ? { failed: frame.state } : undefined;
}

type Unread = Extract<ReadLines, { readonly failed: LogLack }>;

/** Failures of which only the answer tells more. */
const ANSWERED: readonly LogLack[] = [
  'not-found',
  'protocol-error',
  'refused-request',
  'server-error',
  'too-many-requests',
  'unexpected',
];

function failureOf(error: Error): Unread {
  const failed = readFailureOf(error);
  return { failed, ...(ANSWERED.includes(failed) ? { answer: whyOf(error.cause ?? error) } : {}) };
}

function linesOf({ target, at, kind }: WantedLines, records: readonly LogRecord[]): ReadLines {
  const first = records.findIndex(({ message }) => isError(message));
  return {
    pod: target.pod,
    container: target.container,
    kind,
    at,
    records,
    firstError: first === -1 ? undefined : first,
  };
}

/** Whether a line is an error by its level, or by its words if the program writes no level. */
function isError(message: Uint8Array): boolean {
  const level = detectLevel(message);
  if (level !== undefined) return level === 'error' || level === 'fatal';
  return /\b(?:error|fatal|panic|exception|not found)\b/i.test(
    decoder.decode(message.subarray(0, MAX_BYTES)),
  );
}

const decoder = new TextDecoder();
const MAX_BYTES = 4_096;

/** Returns the line with the token and those around it; undefined if no line has it. */
function around(
  want: Extract<WantedLines, { readonly kind: 'around' }>,
  records: readonly LogRecord[],
): ReadLines | undefined {
  const has = records.findIndex(({ message }) => hasToken(decoder.decode(message), want.token));
  if (has === -1) return undefined;
  const begin = Math.max(0, has - SHOWN + 1);
  return {
    ...(linesOf(want, records.slice(begin, has + 1)) as object),
    firstError: has - begin,
  } as ReadLines;
}

function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1))
    if (!/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + token.length] ?? ' ')) return true;
  return false;
}
