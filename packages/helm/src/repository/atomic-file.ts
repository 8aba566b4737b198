import { randomBytes } from 'node:crypto';
import type * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** The file system, as far as repositories change it. */
export type RepositoryFiles = Pick<
  typeof fs,
  'readFile' | 'writeFile' | 'mkdir' | 'rename' | 'link' | 'rm' | 'realpath' | 'stat' | 'readdir'
>;

/** An older file is left over from a killed program. */
const LEFTOVER_MS = 60_000;

export interface WriteOptions {
  readonly files: RepositoryFiles;
  readonly clock: Clock;
  /** Permissions of a file, as in 0o600. */
  readonly mode: number;
  /** Called right before the renaming: false cancels it. */
  readonly isUnchanged?: (() => Promise<boolean>) | undefined;
}

/**
 * Writes a file whole or not at all: beside it first, to the disk, then renamed. False if `isUnchanged`
 * returned true. Removes what a killed program left of an earlier try: it may hold passwords.
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
