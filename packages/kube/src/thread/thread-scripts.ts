import { join } from 'node:path';
import { kubeFailure } from '../values/failures.ts';

/** Threads of the program: `match` runs filters on lines, `chart` renders and validates charts. */
export type ThreadName = 'match' | 'chart';

/** Replaced when the program is built: paths in the package. */
declare const LOGTOOL_THREADS: Readonly<Record<ThreadName, string>> | undefined;

type PackageFile = (path: string) => string | undefined;

let packageFile: PackageFile = inSourceTree;

/** Says where files of the package are. Called once, when the program starts: a single executable lays them out. */
export function findThreadScripts(find: PackageFile): void {
  packageFile = find;
}

/** Path of the script that a thread runs. Throws what finding files of the package throws. */
export function threadScript(name: ThreadName): string {
  const path = typeof LOGTOOL_THREADS === 'undefined' ? `.cache/threads/${name}.cjs` : LOGTOOL_THREADS[name];
  const found = packageFile(path);
  if (found === undefined) throw kubeFailure('thread-script-missing', { path });
  return found;
}

function inSourceTree(path: string): string {
  return join(import.meta.dirname, '../../../..', path);
}
