import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnDirectory, makeOwnDirectory } from './own-directory.ts';

/**
 * Writes a file that only the user may read into the user's own directory; the file appears complete. Writes
 * nothing if others may write to the directory.
 * @throws if it cannot be written
 */
export function writeOwnFile(directory: string, path: string, content: string | Uint8Array): void {
  makeOwnDirectory(directory);
  if (!isOwnDirectory(directory)) return;
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads a file in the user's own directory. Returns undefined if others may write to the directory, or if the
 * file is larger than `limitBytes`.
 * @throws if it cannot be read
 */
export function readOwnFile(
  directory: string,
  path: string,
  limitBytes = Number.POSITIVE_INFINITY,
): Buffer | undefined {
  if (!isOwnDirectory(directory) || statSync(path).size > limitBytes) return undefined;
  return readFileSync(path);
}

/**
 * Removes the files of the user's own directory that are older than `olderThanMs`. Removes nothing if others
 * may write to it: a link that somebody put there could lead anywhere.
 * @throws if the directory does not exist
 */
export function removeOwnFiles(
  directory: string,
  olderThanMs: number,
  options: { readonly nowMs?: number; readonly besides?: (name: string) => boolean } = {},
): void {
  if (!isOwnDirectory(directory)) return;
  const nowMs = options.nowMs ?? Date.now();
  for (const name of readdirSync(directory)) {
    if (options.besides?.(name) === true) continue;
    const path = join(directory, name);
    const stats = lstatSync(path);
    if (stats.isFile() && nowMs - stats.mtimeMs > olderThanMs) rmSync(path);
  }
}
