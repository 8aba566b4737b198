import { constants, gunzipSync } from 'node:zlib';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';

/** More than a stamp has, also compressed with the header of the archive. */
const BYTES = 4096;

/** Returns the stamp of the first line of a file; null if it has none, or cannot be read. */
export async function firstStamp(
  folder: LocalFolder,
  name: string,
  isCompressed: boolean,
): Promise<string | null> {
  const bytes = await beginningOf(folder, name);
  if (bytes === undefined) return null;
  const text = isCompressed ? unpacked(bytes) : bytes;
  const end = text.indexOf(' ');
  const stamp = end === -1 ? '' : text.toString('latin1', 0, end);
  return parseTimestamp(stamp) === undefined ? null : stamp;
}

async function beginningOf(folder: LocalFolder, name: string): Promise<Buffer | undefined> {
  try {
    const { handle } = await folder.openFile(name);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BYTES), 0, BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It was removed meanwhile, or is no file that may be read: whoever asks for its lines reads why.
    if (error instanceof UnreadableFile || isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // It is no archive, or not complete yet: it has no first line that could be read.
    return Buffer.alloc(0);
  }
}
