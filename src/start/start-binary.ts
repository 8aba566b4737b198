import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../cli/cache/cache-place.ts';
import { startCli } from '../cli/start-cli.ts';
import { collectSooner } from './collect-sooner.ts';
import { embeddedFiles } from './embedded-files.ts';

/** Bun, which the executable is made with, as far as it is no Node. */
declare const Bun: { readonly gc: (synchronous: boolean) => void };

/**
 * Starts the self-contained executable. `embedded` is the file in it that holds the files of the package, `name` one
 * that stands for their content.
 */
export function startBinary(embedded: string, name: string): void {
  collectSooner({ residentBytes: () => process.memoryUsage.rss(), collect: () => Bun.gc(true) });
  const cache = cacheDirectory(process.env, homedir);
  const directory = cache === undefined ? undefined : join(cache, 'package', name);
  void startCli(
    process.argv0,
    embeddedFiles(() => readFileSync(embedded, 'utf8'), directory),
  );
}
