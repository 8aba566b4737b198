import { open } from 'node:fs/promises';

/** More than any kubeconfig, key or token has; a device or a log given by mistake ends here. */
export const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

/** Why a file could not be read; `code` as the system's (ENOENT, EACCES, EISDIR) or EFBIG. */
export class FileUnreadable extends Error {
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileUnreadable';
    this.path = path;
    this.code = code;
  }
}

/** The bytes of a file, at most 10 MB. Throws FileUnreadable. */
export async function readSmallFile(path: string, limitBytes = FILE_LIMIT_BYTES): Promise<Buffer> {
  // Node refuses such a path with an error of another shape.
  if (path.includes('\0')) throw new FileUnreadable(path, 'EINVAL', 'the path has a NUL in it');
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const size = (await file.stat()).size;
    // One byte more than expected tells a file that grows (or a device, whose size is 0) from one that fits.
    let buffer: Buffer = Buffer.allocUnsafe(Math.min(size, limitBytes) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
      if (length > limitBytes) throw new FileUnreadable(path, 'EFBIG', `more than ${limitBytes} bytes`);
      if (length === buffer.length) buffer = grown(buffer, limitBytes + 1);
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
}

function grown(buffer: Buffer, limitBytes: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2 + 4096, limitBytes));
  buffer.copy(larger);
  return larger;
}

function unreadable(path: string, error: unknown): FileUnreadable {
  if (error instanceof FileUnreadable) return error;
  const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
  return new FileUnreadable(path, code, whyUnreadable(error), error);
}

/** What the file system says, in words. */
export function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'ENOTDIR') return 'a part of its path is no directory';
  return error instanceof Error ? error.message : String(error);
}
