import { KubeError } from '@logtool/kube/src/errors.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { detach, sameBytes } from './line-parser.ts';
import { peekLines, type RunAddress } from './open-log.ts';

/** A joined line exceeds each of its fragments by more than any line that fits into one read of a pipe. */
const FRAGMENT_BYTES = 4096;
const FIRST_ASK = 16;
const MAX_ASK = 8192;

/** How a log ended at the time of the request. */
export interface LogEnd {
  readonly last: LogRecord;
  /** Number of identical copies of that record (time and bytes) at the end. */
  readonly copies: number;
  /** The answer began with it, so it may be the end of a long line that was split into fragments. */
  readonly mayBeFragment: boolean;
  /** The last lines up to `last`, complete except the first; empty if they are uncertain. */
  readonly lines: readonly LogRecord[];
}

/**
 * Requests the last lines of a log: a clean end of a body may be a lost connection, and only this shows whether a read
 * reached the end. Undefined if the answer was empty. Throws what client.log and the body throw. `needsStart`: requests
 * more if the last line may lack its start, and with it its time.
 */
export async function probeEnd(
  context: ReadContext,
  run: RunAddress,
  { needsStart = false }: { readonly needsStart?: boolean } = {},
): Promise<LogEnd | undefined> {
  for (let ask = FIRST_ASK; ; ask *= 8) {
    const lines = await readLast(context, run, ask);
    const last = lines.at(-1);
    if (last === undefined) return undefined;
    if (needsStart && !isWhole(lines) && ask < MAX_ASK) continue;
    const copies = copiesAtEnd(lines, last);
    // Fewer lines than requested: the log is that short, or they are fragments of one line, or the answer broke off.
    if (lines.length < ask || last.partial) return confirmLast(context, run, lines, copies);
    if (copies < lines.length || ask >= MAX_ASK) return { last, copies, mayBeFragment: false, lines };
  }
}

/**
 * Verifies the last line: only the very last entry can be truncated without showing it. Throws a retryable error if an
 * answer broke off.
 */
async function confirmLast(
  context: ReadContext,
  run: RunAddress,
  lines: readonly LogRecord[],
  copies: number,
): Promise<LogEnd | undefined> {
  const seen = lines.at(-1)!;
  const [last] = await readLast(context, run, 1);
  if (last === undefined) return undefined;
  const mayBeFragment = !isWhole(lines);
  if (isSameRecord(last, seen) && last.partial === seen.partial) {
    return { last: seen, copies, mayBeFragment, lines };
  }
  if (isFragmentOf(last, seen) && last.partial === seen.partial) {
    return { last: seen, copies: 1, mayBeFragment, lines };
  }
  // The log has grown meanwhile.
  if (!last.partial) return { last, copies: 1, mayBeFragment: true, lines: [] };
  throw new KubeError({ kind: 'connection', problem: { code: 'log-ended-in-line', data: {} } });
}

/** Whether the last line of an answer has its start. */
function isWhole(lines: readonly LogRecord[]): boolean {
  return lines.length > 1 || lines.every(({ message }) => message.length < FRAGMENT_BYTES);
}

/** Reads at most this many lines, even if the server ignores the count and returns the whole log. */
async function readLast(context: ReadContext, run: RunAddress, tailLines: number): Promise<LogRecord[]> {
  let lines: LogRecord[] = [];
  for await (const batch of peekLines(context, run, { tailLines })) {
    lines.push(...batch);
    if (lines.length > tailLines) lines = lines.slice(-tailLines);
  }
  return lines.map(detach);
}

/** Counts the records at the end that equal the last one. */
export function copiesAtEnd(records: readonly LogRecord[], last: LogRecord): number {
  return records.length - 1 - records.findLastIndex((record) => !isSameRecord(record, last));
}

export function isSameRecord(a: LogRecord, b: LogRecord): boolean {
  return compareTimestamps(a.at, b.at) === 0 && sameBytes(a.message, b.message);
}

/** Whether a record is the last line that the probe saw, whole or by its last fragment. */
export function isEnd(record: LogRecord, end: LogEnd): boolean {
  return isSameRecord(record, end.last) || (end.mayBeFragment && isFragmentOf(end.last, record));
}

function isFragmentOf(end: LogRecord, line: LogRecord): boolean {
  return end.message.length > 0 && isCutFrom(line, end);
}

/** Whether a record may be what an answer had of a long line: its last fragments, which may be empty. */
export function isCutFrom(line: LogRecord, end: LogRecord): boolean {
  return (
    line.message.length - end.message.length >= FRAGMENT_BYTES &&
    compareTimestamps(line.at, end.at) <= 0 &&
    endsWith(line.message, end.message)
  );
}

export function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return bytes.length >= end.length && sameBytes(bytes.subarray(bytes.length - end.length), end);
}
