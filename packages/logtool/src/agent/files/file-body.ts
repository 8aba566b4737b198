import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FileRange, OpenFile } from '../../backend/container-folder.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The most that is read at once. */
export const CHUNK_BYTES = 256 * 1024;
const OVER = { done: true, value: undefined } as const;

interface Segment {
  readonly name: string;
  readonly from: number;
  /** The byte after the last one. */
  readonly end: number;
  readonly signal: AbortSignal;
}

/**
 * Bytes of an open file, whatever becomes of its name meanwhile. Closes the file at the end, on a failure, and when
 * its reader leaves early, also before the first chunk: an async generator would not do that.
 */
export class FileBody implements AsyncIterableIterator<Uint8Array> {
  readonly #handle: FileHandle;
  readonly #segment: Segment;
  #at: number;
  #isClosed = false;

  constructor(handle: FileHandle, segment: Segment) {
    this.#handle = handle;
    this.#segment = segment;
    this.#at = segment.from;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isClosed || this.#at >= this.#segment.end) return this.return();
    try {
      return { done: false, value: await this.#read() };
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      await this.#handle.close();
    }
    return OVER;
  }

  async #read(): Promise<Uint8Array> {
    const { name, end, signal } = this.#segment;
    signal.throwIfAborted();
    const length = Math.min(CHUNK_BYTES, end - this.#at);
    const chunk = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#handle.read(chunk, 0, length, this.#at);
    // Somebody emptied it: what is missing must not pass for the end.
    if (bytesRead === 0) throw new UnreadableFile(name, 'cut');
    this.#at += bytesRead;
    return chunk.subarray(0, bytesRead);
  }
}

/** Returns the first byte of a range and the one after its last, of what the file has now, as the kubelet does. */
export function boundsOf(range: FileRange | undefined, size: number): readonly [from: number, end: number] {
  if (range === undefined) return [0, size];
  if ('last' in range) return [Math.max(size - range.last, 0), size];
  const end = Math.min(size, range.to === undefined ? size : range.to + 1);
  return [range.from, Math.max(range.from, end)];
}

/** Opens an open file once more, also one that has no name now; the first one stays open. */
export async function openAgain(
  file: FileHandle,
  {
    name,
    range,
    signal,
  }: { readonly name: string; readonly range?: FileRange | undefined; readonly signal: AbortSignal },
): Promise<OpenFile> {
  signal.throwIfAborted();
  const handle = await open(`/proc/self/fd/${file.fd}`, constants.O_RDONLY);
  try {
    const [from, end] = boundsOf(range, (await handle.stat()).size);
    return { from, body: new FileBody(handle, { name, from, end, signal }) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
