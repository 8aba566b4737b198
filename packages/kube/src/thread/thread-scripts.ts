import { join } from 'node:path';
import { kubeFailure } from '../values/failures.ts';

/** Threads of the program: `match` runs filters on lines, `chart` renders and validates charts. */
export type ThreadName = 'match' | 'chart';

/** The build replaces this with paths in the package. */
declare const LOGTOOL_THREADS: Readonly<Record<ThreadName, string>> | undefined;

type PackageFile = (path: string) => string | undefined;

let packageFile: PackageFile = inSourceTree;

/**
 * Sets how to find files of the package. The program calls it once at start, because a single executable unpacks them.
 */
export function findThreadScripts(find: PackageFile): void {
  packageFile = find;
}

/** Returns the path of a thread's script. Throws the error of the function that finds files of the package. */
export function threadScript(name: ThreadName): string {
  const path = typeof LOGTOOL_THREADS === 'undefined' ? `.cache/threads/${name}.cjs` : LOGTOOL_THREADS[name];
  const found = packageFile(path);
  if (found === undefined) throw kubeFailure('thread-script-missing', { path });
  return found;
}

function inSourceTree(path: string): string {
  return join(import.meta.dirname, '../../../..', path);
}
