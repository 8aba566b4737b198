import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** System codes for locations where writing is forbidden or impossible. */
const NO_DISK: readonly unknown[] = [
  'EROFS',
  'EACCES',
  'EPERM',
  'EBUSY',
  'ENOENT',
  'ENOTDIR',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
];

/** Whether an error reports that no writable location exists, or that the disk is full. */
export function isDiskFailure(error: unknown): error is Error {
  return error instanceof Error && NO_DISK.includes((error as NodeJS.ErrnoException).code);
}

/**
 * Opens a temporary file without a name, so that nobody else reads it and the system frees it however the process ends,
 * including SIGKILL. Throws the system's error if there is no writable location.
 */
export async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `logtool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    // A location where an open file cannot be deleted is unusable.
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes all bytes. One write may store only a part, if the disk is nearly full. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
