import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 128 * 1024;
const NEWLINE = 10;

/**
 * Offset from which the last `count` entries of a file of `size` bytes lie, found from its end. Entries are what ends
 * in a newline, so a 16 KiB fragment counts; with count 0 it is the end of the last whole entry.
 */
export async function findTailStart(file: FileHandle, size: number, count: number): Promise<number> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  let found = 0;
  for (let right = size; right > 0; ) {
    const left = Math.max(0, right - BLOCK_BYTES);
    const { bytesRead } = await file.read(block, 0, right - left, left);
    if (bytesRead === 0) break;
    for (let index = block.lastIndexOf(NEWLINE, bytesRead - 1); index >= 0; ) {
      found += 1;
      if (found > count) return left + index + 1;
      index = index === 0 ? -1 : block.lastIndexOf(NEWLINE, index - 1);
    }
    right = left;
  }
  return 0;
}
