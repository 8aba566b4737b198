import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, sleep, systemClock } from '../values/clock.ts';
import { type KubeProblem, ProblemError } from '../values/problems.ts';

/** Larger than any kubeconfig, key or token; stops reading a device or a log given by mistake. */
export const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * How long to wait for a pipe without a writer. While a writer holds the pipe open, reading waits: a poll, not a retry.
 */
const PIPE_WAIT_MS = 5_000;
const PIPE_POLL_MS = 20;

/** Does not block: a system call that waits for a pipe would keep the process from ending, whatever the signal. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why a file could not be read. `code` is the system's (ENOENT, EACCES, EISDIR, EFBIG), or ENODATA for a pipe. */
export class FileUnreadable extends ProblemError {
  readonly path: string;
  declare readonly code: string;

  constructor(path: string, code: string, problem: KubeProblem, cause?: unknown) {
    super(problem, { code, cause });
    this.name = 'FileUnreadable';
    this.path = path;
  }
}

/**
 * Returns the bytes of a file, at most 10 MB; of a pipe (`<(command)`), everything until its end. Throws
 * FileUnreadable.
 */
export async function readSmallFile(
  path: string,
  limitBytes = FILE_LIMIT_BYTES,
  clock: Clock = systemClock,
): Promise<Buffer> {
  // Node rejects such a path with an error of another shape.
  if (path.includes('\0')) throw new FileUnreadable(path, 'EINVAL', { code: 'nul-in-path', data: {} });
  let file: FileHandle;
  try {
    file = await open(path, OPEN_FLAGS);
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    return await readWhole(file, path, limitBytes, clock);
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, path: string, limitBytes: number, clock: Clock): Promise<Buffer> {
  const info = await file.stat();
  // One extra byte distinguishes a file that grows (or a device, whose size is 0) from one that fits.
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(info.size, limitBytes) + 1);
  let length = 0;
  const givenUpAtMs = clock.steady() + PIPE_WAIT_MS;
  for (;;) {
    const bytesRead = await readSome(file, buffer, length);
    // An empty read before a pipe's first byte is not its end: its writer may not have opened it yet.
    const isUnwritten = bytesRead === 0 && length === 0 && info.isFIFO();
    if (bytesRead === undefined || (isUnwritten && clock.steady() < givenUpAtMs)) {
      await sleep(clock, PIPE_POLL_MS);
      continue;
    }
    if (isUnwritten) throw new FileUnreadable(path, 'ENODATA', { code: 'silent-pipe', data: {} });
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > limitBytes)
      throw new FileUnreadable(path, 'EFBIG', {
        code: 'file-too-large',
        data: { limitMib: limitBytes / 1024 / 1024 },
      });
    if (length === buffer.length) buffer = grown(buffer, limitBytes + 1);
  }
}

/** Returns undefined if no data is available yet. */
async function readSome(file: FileHandle, buffer: Buffer, at: number): Promise<number | undefined> {
  try {
    return (await file.read(buffer, at, buffer.length - at, null)).bytesRead;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
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

/** Describes why the file system could not read the file. */
export function whyUnreadable(error: unknown): KubeProblem {
  const { code = '' } = error as NodeJS.ErrnoException;
  const problem = PROBLEM_OF_CODE.get(code);
  if (problem !== undefined) return { code: problem, data: {} };
  return { code: 'system-error', data: { message: error instanceof Error ? error.message : String(error) } };
}

const PROBLEM_OF_CODE: ReadonlyMap<
  string,
  'file-forbidden' | 'file-is-folder' | 'file-missing' | 'path-through-file'
> = new Map([
  ['ENOENT', 'file-missing'],
  ['EACCES', 'file-forbidden'],
  ['EPERM', 'file-forbidden'],
  ['EISDIR', 'file-is-folder'],
  ['ENOTDIR', 'path-through-file'],
]);
