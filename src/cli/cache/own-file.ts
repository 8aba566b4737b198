import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { isOwnDirectory, makeOwnDirectory } from './own-directory.ts';

/**
 * Puts a file that nobody else may read into a directory of the user's own; it appears whole. Nothing is written where
 * others may write.
 * @throws when it cannot be written
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
