import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../cli/cache/cache-place.ts';
import { startCli } from '../cli/start-cli.ts';
import { collectSooner } from './collect-sooner.ts';
import { embeddedFiles } from './embedded-files.ts';

/** Bun's API, which the executable uses where Node has none. */
declare const Bun: { readonly gc: (synchronous: boolean) => void };

/** Where the program finds scripts of threads (scripts/bundle-binary.mjs). */
const THREADS = 'threads/';

/**
 * Starts the self-contained executable. `embedded` is the file in it that holds the files of the package, `name` one
 * that stands for their content, `folder` the place in it where Bun puts what it compiled: the scripts of threads.
 */
export function startBinary(embedded: string, name: string, folder: string): void {
  collectSooner({ residentBytes: () => process.memoryUsage.rss(), collect: () => Bun.gc(true) });
  const cache = cacheDirectory(process.env, homedir);
  const directory = cache === undefined ? undefined : join(cache, 'package', name);
  const packageFile = embeddedFiles(() => readFileSync(embedded, 'utf8'), directory);
  void startCli(process.argv0, (path) =>
    path.startsWith(THREADS) ? join(folder, path.slice(THREADS.length)) : packageFile(path),
  );
}
