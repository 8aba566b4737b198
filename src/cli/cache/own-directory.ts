import { chmodSync, mkdirSync, statSync } from 'node:fs';

/** Makes a directory that nobody else may read, where it is missing. */
export function makeOwnDirectory(directory: string): void {
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(directory, 0o700);
}

/**
 * Whether a directory is the user's own and nobody else may write to it: what lies there is run or shown without a
 * further check. Windows keeps what is below a user's folder to the user.
 * @throws when there is none
 */
export function isOwnDirectory(directory: string): boolean {
  const { uid, mode } = statSync(directory);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
