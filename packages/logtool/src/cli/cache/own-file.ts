import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnDirectory, makeOwnDirectory } from './own-directory.ts';

/**
 * Puts a file that only the user may read into a directory of the user's own; it appears whole. Writes
 * nothing if others may write there.
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
 * The bytes of a file in a directory of the user's own; undefined if others may write there, or where it is larger than
 * that many bytes.
 * @throws when it cannot be read
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
 * Removes the files of a directory of the user's own that are older than that, and nothing if others may write: a link
 * that somebody put there could lead anywhere.
 * @throws when there is no such directory
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
