import { isKubeError } from '@logtool/kube/src/errors.ts';
import { HEAD_BYTES, openRotated, PACKED_HEAD_BYTES } from '../../backend/rotated-file.ts';
import { type RotatedFile, rotatedName } from '../../backend/run-files.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { type HeldFile, isSameFile, openIfExists } from './survey-run.ts';

/**
 * Whether an open file was rotated to that one. A plain one is the same file; a compressed one is another, and has the
 * same first bytes: their stamps are exact to the nanosecond.
 */
export async function isRotatedTo(
  folder: LocalFolder,
  run: number,
  held: HeldFile,
  file: RotatedFile,
): Promise<boolean> {
  if (!file.isCompressed) {
    const plain = await openIfExists(folder, rotatedName(run, file));
    await plain?.handle.close();
    // Else it was compressed meanwhile.
    if (plain !== undefined) return isSameFile(plain, held);
  }
  const packed = await headOfPacked(folder, run, file);
  if (packed === undefined) return false;
  const own = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await held.handle.read(own, 0, HEAD_BYTES, 0);
  return own.subarray(0, bytesRead).equals(packed);
}

/** Returns the first bytes of the text of a compressed file; undefined if it does not exist. */
async function headOfPacked(
  folder: LocalFolder,
  run: number,
  file: RotatedFile,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const text = await openRotated(folder, run, { ...file, isCompressed: true }, PACKED_HEAD_BYTES);
    for await (const chunk of text) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}
