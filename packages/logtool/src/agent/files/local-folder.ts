import { constants, type Dirent, type FSWatcher, type Stats, watch } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { KubeError } from '@logtool/kube/src/errors.ts';
import type { ContainerFolder, FileRange, OpenFile } from '../../backend/container-folder.ts';
import { filesOfRun, type RunFiles } from '../../backend/run-files.ts';
import { boundsOf, FileBody } from './file-body.ts';
import { UnreadableFile } from './unreadable-file.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Without O_NONBLOCK, a named pipe would hold up a thread until somebody writes to it. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/**
 * A folder below the folder in which the kubelet keeps logs, on the machine itself. Each step down opens a name in a
 * folder that is open already (`/proc/self/fd`, Linux) and follows no link, so no name and no link leads out of it,
 * whatever is renamed meanwhile.
 */
export class LocalFolder implements ContainerFolder {
  readonly #root: string;
  readonly #path: readonly string[];
  readonly #signal: AbortSignal;

  /** `path`: names of folders below `root`, one each. */
  constructor(root: string, path: readonly string[], signal: AbortSignal) {
    this.#root = root;
    this.#path = path;
    this.#signal = signal;
  }

  async filesOf(run: number): Promise<RunFiles | undefined> {
    const names = await this.names();
    return names === undefined ? undefined : filesOfRun(names, run);
  }

  /** Lists what is in the folder, without `.` and `..`; undefined if there is no such folder. */
  async names(kind: 'any' | 'folders' = 'any'): Promise<readonly string[] | undefined> {
    this.#signal.throwIfAborted();
    const folder = await this.#openFolder();
    if (folder === undefined) return undefined;
    try {
      const entries: Dirent[] = await readdir(inside(folder, '.'), { withFileTypes: true });
      return entries.filter((entry) => kind === 'any' || entry.isDirectory()).map(({ name }) => name);
    } finally {
      await folder.close();
    }
  }

  /** Throws an UnreadableFile for a link, a pipe, a folder, or without permission. */
  async open(name: string, range?: FileRange): Promise<OpenFile> {
    const { handle, stats } = await this.openFile(name);
    const [from, end] = boundsOf(range, stats.size);
    return { from, body: new FileBody(handle, { name, from, end, signal: this.#signal }) };
  }

  /** Opens a regular file, which the caller closes. Throws as `open` does. */
  async openFile(name: string): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
    this.#signal.throwIfAborted();
    const folder = await this.#openFolder();
    if (folder === undefined) throw missing();
    try {
      return await openRegular(folder, name);
    } finally {
      await folder.close();
    }
  }

  /**
   * Calls back when a name appears or goes (`rename`), and when a file is written to (`change`), until the watcher is
   * closed. Undefined if there is no such folder. Throws the system's error if it watches too much already.
   */
  async watch(onEvent: (event: 'rename' | 'change') => void): Promise<FSWatcher | undefined> {
    this.#signal.throwIfAborted();
    const folder = await this.#openFolder();
    if (folder === undefined) return undefined;
    try {
      // The folder itself is watched, not its name, so it need not stay open.
      return watch(inside(folder, '.'), onEvent);
    } finally {
      await folder.close();
    }
  }

  /** Opens the folder; undefined if it, or one above it, does not exist or is a link. */
  async #openFolder(): Promise<FileHandle | undefined> {
    // The folder of all logs may be a link: whoever starts the agent names it.
    let folder = await open(this.#root, constants.O_RDONLY | constants.O_DIRECTORY);
    for (const name of this.#path) {
      const below = await openBelow(folder, name);
      if (below === undefined) return undefined;
      folder = below;
    }
    return folder;
  }
}

/** Opens a folder in another one, which it closes. */
async function openBelow(folder: FileHandle, name: string): Promise<FileHandle | undefined> {
  try {
    return isName(name) ? await open(inside(folder, name), FOLDER) : undefined;
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return undefined;
    throw error;
  } finally {
    await folder.close();
  }
}

async function openRegular(folder: FileHandle, name: string) {
  if (!isName(name)) throw missing();
  const handle = await openFileIn(folder, name);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UnreadableFile(name, 'not-regular');
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFileIn(folder: FileHandle, name: string): Promise<FileHandle> {
  try {
    return await open(inside(folder, name), FILE);
  } catch (cause) {
    const code = codeOf(cause);
    if (ABSENT.has(code)) throw missing();
    if (code === 'ELOOP') throw new UnreadableFile(name, 'link', { cause });
    // The system refuses to open a socket.
    if (code === 'ENXIO') throw new UnreadableFile(name, 'not-regular', { cause });
    if (code === 'EACCES' || code === 'EPERM') throw new UnreadableFile(name, 'not-permitted', { cause });
    throw cause;
  }
}

/** Whether it names an entry of a folder, and nothing above or below. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

function inside(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function missing(): KubeError {
  return new KubeError({ kind: 'not-found', problem: { code: 'file-missing', data: {} } });
}
