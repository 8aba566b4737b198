import { chmodSync, lstatSync, mkdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
/** In such a directory everybody may write, but replace only their own files: /tmp. */
const STICKY = 0o1000;
/** Linux follows this many links in one path. */
const MAX_LINKS = 40;

/** Creates a missing directory that only the user may read. */
export function makeOwnDirectory(directory: string): void {
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(directory, 0o700);
}

/**
 * Whether a directory belongs to the user, and only the user may write to it or replace it: logtool runs or
 * shows its files without a further check, and cleans them up. Windows protects everything below a user's
 * folder.
 * @throws if it does not exist
 */
export function isOwnDirectory(directory: string): boolean {
  const { uid, mode } = statSync(directory);
  const own = process.getuid?.();
  if (own === undefined) return true;
  return uid === own && (mode & WRITABLE_BY_OTHERS) === 0 && leadsSafely(resolve(directory), own, MAX_LINKS);
}

/**
 * Whether the user or root owns everything that a path goes through, links too, and nobody else can redirect
 * it.
 */
function leadsSafely(path: string, own: number, links: number): boolean {
  const parent = dirname(path);
  if (parent !== path && !leadsSafely(parent, own, links)) return false;
  const stats = lstatSync(path);
  if (stats.uid !== own && stats.uid !== 0) return false;
  if (stats.isSymbolicLink())
    return links > 0 && leadsSafely(resolve(parent, readlinkSync(path)), own, links - 1);
  return isKept(stats);
}

/** Whether others cannot replace what lies in a directory. */
function isKept({ mode }: Stats): boolean {
  return (mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0;
}
