import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../cli/cache/cache-directory.ts';
import { startCli } from '../cli/start-cli.ts';
import { embeddedFiles } from './embedded-files.ts';

/** The memory that the program takes while it does little. Collecting below it would gain nothing. */
const SMALL_BYTES = 72 * 2 ** 20;

/** The growth since the last collection that is worth another one. */
const STEP_BYTES = 8 * 2 ** 20;

const EVERY_MS = 50;

interface Memory {
  /** Returns the memory that the process takes now. */
  readonly residentBytes: () => number;
  readonly collect: () => void;
}

/** Bun's API, which the executable uses where Node has none. */
declare const Bun: { readonly gc: (synchronous: boolean) => void };

/** Where the program finds thread scripts (scripts/binary/bundle-binary.mjs). */
const THREADS = 'threads/';

/**
 * Starts the self-contained executable. `embedded` is the file in it that holds the files of the package. `name` stands
 * for their content. `folder` is the place in it where Bun puts what it compiled: the thread scripts.
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

/**
 * Collects garbage whenever the process has grown by some megabytes. Bun keeps garbage until it is a share of the
 * machine's memory: a log of 160 MB, which passes through in small pieces, made the process half as large again. Memory
 * in use is not collected again and again: growth counts from what remained.
 */
export function collectSooner({ residentBytes, collect }: Memory): NodeJS.Timeout {
  let left = 0;
  const check = () => {
    if (residentBytes() < Math.max(SMALL_BYTES, left) + STEP_BYTES) return;
    collect();
    left = residentBytes();
  };
  return setInterval(check, EVERY_MS).unref();
}
