import { KubeError } from '@logtool/kube/src/errors.ts';
import { bufferChunks } from '@logtool/kube/src/transport/buffer-body.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerFolder } from './container-folder.ts';
import { EntryLines, type EntryLinesOptions, type StreamName } from './entry-lines.ts';
import type { FileSequence } from './file-sequence.ts';
import { newestName } from './run-files.ts';

/** Bytes at the end of the newest file that are tried for a tail, before its files are read whole. */
const TAIL_BYTES = [64 * 1024, 1024 * 1024] as const;
/** Lines of one container may be this much out of order: two pipes, two timestamps. */
const DISORDER_SECONDS = 1;

/** Where to begin: in which file of a sequence, and after how many ends of lines in it. */
export interface FileStart {
  readonly index: number;
  readonly skip: number;
}

/** The beginning of the oldest file. */
export const OLDEST: FileStart = { index: 0, skip: 0 };

/** Where to begin in the newest file: at which byte, and after how many ends of lines from there. */
export interface NewestStart {
  readonly offset: number;
  readonly skip: number;
}

interface TailOfNewest {
  readonly start: NewestStart;
  /** The file from that byte on. */
  readonly bytes: Uint8Array;
}

/**
 * Returns where the last lines of the newest file begin; undefined if its last MiB has fewer. One answer of the server is
 * of one file, whatever is rotated meanwhile.
 */
export async function tailOfNewest(
  folder: ContainerFolder,
  run: number,
  count: number,
  stream?: StreamName,
): Promise<TailOfNewest | undefined> {
  for (const last of TAIL_BYTES) {
    const { from, body } = await folder.open(newestName(run), { last });
    const bytes = await bufferChunks(body);
    const cut = from === 0 ? 0 : bytes.indexOf('\n') + 1;
    const whole = bytes.subarray(cut);
    const counted = new EntryLines({ stream });
    counted.push(whole);
    counted.endFile(true);
    const lines = counted.linesBegun;
    // The first line may have begun earlier, in the file before this one too.
    if (lines > count) return { start: { offset: from + cut, skip: lines - count }, bytes: whole };
    if (from === 0) return undefined;
  }
  return undefined;
}

/** Returns the lines of a tail, as the log API returns them. */
export function linesOfTail(
  { start, bytes }: TailOfNewest,
  options: Omit<EntryLinesOptions, 'skip'>,
): Uint8Array {
  const lines = new EntryLines({ ...options, skip: start.skip });
  return Buffer.concat([lines.push(bytes), lines.endFile(true)]);
}

/** Returns where the last `count` lines begin: counts back from the newest file. */
export async function startOfTail(
  files: FileSequence,
  count: number,
  stream?: StreamName,
): Promise<FileStart> {
  let left = count;
  let isAtEnd = true;
  for (let index = files.last; index >= 0; index--) {
    const counted = await countLines(files, index, stream);
    // Before other entries, an open line ends in a later file.
    const lines = isAtEnd ? counted.linesBegun : counted.lines;
    isAtEnd &&= counted.linesBegun === 0;
    // With as many lines as wanted, the first of them may begin in a file before this one.
    if (lines > left) return { index, skip: lines - left };
    left -= lines;
  }
  return OLDEST;
}

async function countLines(
  files: FileSequence,
  index: number,
  stream: StreamName | undefined,
): Promise<EntryLines> {
  const lines = new EntryLines({ stream });
  for await (const chunk of files.bytes(index)) lines.push(chunk);
  lines.endFile(files.isNewest(index));
  return lines;
}

/**
 * Returns the file from which lines since a time may come: the newest one that begins before it. If a file begins before
 * an older one does, the node's clock was set back, and every file may have such lines. A clock that was set back
 * within a file, by more than the file before the time is long, is not detected.
 */
export async function startOfTime(files: FileSequence, since: Timestamp): Promise<FileStart> {
  let start = OLDEST;
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index <= files.last; index++) {
    const first = await files.firstTime(index);
    if (first === undefined) continue;
    if (first.seconds < before - DISORDER_SECONDS) return OLDEST;
    before = Math.max(before, first.seconds);
    if (first.seconds < since.seconds - DISORDER_SECONDS) start = { index, skip: 0 };
  }
  return start;
}

/** Yields the lines from a start on, as the log API returns them with `timestamps=true`. */
export async function* linesFrom(
  files: FileSequence,
  { index, skip }: FileStart,
  options: Omit<EntryLinesOptions, 'skip'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const lines = new EntryLines({ ...options, skip });
  for (let at = index; at <= files.last; at++) {
    for await (const chunk of files.bytes(at)) {
      const bytes = lines.push(chunk);
      if (bytes.length > 0) yield bytes;
    }
    const rest = lines.endFile(files.isNewest(at));
    if (rest.length > 0) yield rest;
  }
  checkFormat(lines);
}

/** Throws `protocol` if none of what was pushed is an entry: these are no files of a CRI runtime. */
export function checkFormat({ foreignText: text }: EntryLines): void {
  if (text === undefined) return;
  throw new KubeError({ kind: 'protocol', problem: { code: 'no-log', data: { text } } });
}
