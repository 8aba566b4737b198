import type { LogQuery } from '@logtool/kube/src/client.ts';
import type { ContainerFolder } from './container-folder.ts';
import { linesFrom, OLDEST, startOfTail, startOfTime, tailOfNewest } from './file-lines.ts';
import { FileSequence, type SequenceOptions } from './file-sequence.ts';
import type { RunFiles } from './run-files.ts';

/** Which lines of a run: what the log API's parameters of these names mean. */
export type RunQuery = Pick<LogQuery, 'tailLines' | 'sinceTime' | 'limitBytes'>;

/**
 * Returns the lines of all files of a run, as the log API returns those of the newest one with `timestamps=true`. Throws
 * what the folder throws, and so does the body.
 */
export async function runLines(
  folder: ContainerFolder,
  files: RunFiles,
  { tailLines, sinceTime, limitBytes }: RunQuery,
  options: SequenceOptions,
): Promise<AsyncIterable<Uint8Array>> {
  if (tailLines !== undefined && files.hasNewest && options.hasNewest) {
    const tail = await tailOfNewest(folder, files.run, tailLines, sinceTime);
    if (tail !== undefined) return limited(only(tail), limitBytes);
  }
  const sequence = await FileSequence.take(folder, files, options);
  let start = OLDEST;
  if (tailLines !== undefined) start = await startOfTail(sequence, tailLines);
  else if (sinceTime !== undefined) start = await startOfTime(sequence, sinceTime);
  return limited(linesFrom(sequence, start, sinceTime), limitBytes);
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
