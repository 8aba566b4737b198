import { randomBytes } from 'node:crypto';
import type * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** The part of the file system that repositories use. */
export type RepositoryFiles = Pick<
  typeof fs,
  'readFile' | 'writeFile' | 'mkdir' | 'rename' | 'link' | 'rm' | 'realpath' | 'stat' | 'readdir'
>;

/** An older file is the leftover of a killed program. */
const LEFTOVER_MS = 60_000;

export interface WriteOptions {
  readonly files: RepositoryFiles;
  readonly clock: Clock;
  /** Permissions of the file, e.g. 0o600. */
  readonly mode: number;
  /** Called right before the rename; false cancels it. */
  readonly isUnchanged?: (() => Promise<boolean>) | undefined;
}

/**
 * Writes a file completely or not at all: to a temporary file beside it, flushed to disk, then renamed. Returns false
 * if `isUnchanged` did. Removes leftovers of killed programs: they may hold passwords.
 */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<boolean> {
  const { files, clock, mode, isUnchanged } = options;
  await removeLeftovers(files, path, clock.now());
  const temporary = join(dirname(path), `${prefixOf(path)}${randomBytes(6).toString('hex')}.tmp`);
  try {
    await files.writeFile(temporary, data, { mode, flag: 'wx', flush: true });
    if (isUnchanged !== undefined && !(await isUnchanged())) return false;
    await files.rename(temporary, path);
    return true;
  } finally {
    await files.rm(temporary, { force: true });
  }
}

async function removeLeftovers(files: RepositoryFiles, path: string, nowMs: number): Promise<void> {
  const folder = dirname(path);
  for (const name of await files.readdir(folder)) {
    if (!name.startsWith(prefixOf(path)) || !name.endsWith('.tmp')) continue;
    const left = join(folder, name);
    const changedMs = (await files.stat(left).catch(() => undefined))?.mtimeMs;
    if (changedMs !== undefined && nowMs - changedMs > LEFTOVER_MS) await files.rm(left, { force: true });
  }
}

function prefixOf(path: string): string {
  return `.${basename(path)}-logtool-`;
}
