import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the system says where nothing may be written, or can be. */
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

/** Whether an error says that there is no place to write to, or none left. */
export function isDiskFailure(error: unknown): error is Error {
  return error instanceof Error && NO_DISK.includes((error as NodeJS.ErrnoException).code);
}

/**
 * A temporary file that loses its name as soon as it is open, so that nobody else reads it and the system frees it
 * whichever way the process ends, SIGKILL too. Throws what the system says if there is no place to write to.
 */
export async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `logtool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    // A place where an open file cannot lose its name is none.
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes all of it. One write may take a part only, where the disk is nearly full. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
