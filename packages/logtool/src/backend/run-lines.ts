import type { LogQuery } from '@logtool/kube/src/client.ts';
import type { ContainerFolder } from './container-folder.ts';
import type { StreamName } from './entry-lines.ts';
import {
  type FileStart,
  linesFrom,
  linesOfTail,
  OLDEST,
  startOfTail,
  startOfTime,
  tailOfNewest,
} from './file-lines.ts';
import { FileSequence, type SequenceOptions } from './file-sequence.ts';
import type { RunFiles } from './run-files.ts';

/** Which lines of a run: what the log API's parameters of these names mean. */
export interface RunQuery extends Pick<LogQuery, 'tailLines' | 'sinceTime' | 'limitBytes'> {
  /** Only lines of this stream; a tail counts only those. */
  readonly stream?: StreamName | undefined;
}

/**
 * Returns the lines of all files of a run, as the log API returns those of the newest one with `timestamps=true`. Throws
 * what the folder throws, and so does the body.
 */
export async function runLines(
  folder: ContainerFolder,
  files: RunFiles,
  { tailLines, sinceTime, limitBytes, stream }: RunQuery,
  options: SequenceOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const chosen = { since: sinceTime, stream };
  if (tailLines !== undefined && files.hasNewest && options.hasNewest) {
    const tail = await tailOfNewest(folder, files.run, tailLines, stream);
    if (tail !== undefined) return limited(only(linesOfTail(tail, chosen)), limitBytes);
  }
  const sequence = await FileSequence.take(folder, files, options);
  const start = await startIn(sequence, { tailLines, sinceTime, stream });
  return limited(linesFrom(sequence, start, chosen), limitBytes);
}

/** Where to begin: in which file, the oldest is 0; at which byte of it; after how many ends of lines from there. */
export interface RunStart extends FileStart {
  readonly offset: number;
}

/** Returns where the lines of a query begin in the files of a run, which stay what they are: for a follow. */
export async function startOfRun(
  folder: ContainerFolder,
  files: RunFiles,
  query: Omit<RunQuery, 'limitBytes'>,
  options: Omit<SequenceOptions, 'hasNewest'>,
): Promise<RunStart> {
  const { hasNewest, rotated, run } = files;
  const { tailLines, stream } = query;
  if (tailLines !== undefined && hasNewest) {
    const tail = await tailOfNewest(folder, run, tailLines, stream);
    if (tail !== undefined) return { index: rotated.length, ...tail.start };
  }
  const sequence = await FileSequence.take(folder, files, { ...options, hasNewest });
  return { ...(await startIn(sequence, query)), offset: 0 };
}

async function startIn(
  sequence: FileSequence,
  { tailLines, sinceTime, stream }: Omit<RunQuery, 'limitBytes'>,
): Promise<FileStart> {
  if (tailLines !== undefined) return startOfTail(sequence, tailLines, stream);
  if (sinceTime !== undefined) return startOfTime(sequence, sinceTime);
  return OLDEST;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes.length > 0) yield bytes;
}

/** Ends a body after a number of bytes, as the log API does. */
export async function* limited(
  body: AsyncIterable<Uint8Array>,
  limitBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = limitBytes;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
