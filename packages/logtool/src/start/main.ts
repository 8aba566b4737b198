import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../cli/cache/cache-directory.ts';
import { openCodeCache } from '../cli/cache/code-cache.ts';
import { commandOf } from './command-of.ts';
import { HeapLimits } from './heap-limits.ts';
import { ModuleLoader } from './module-loader.ts';

/** The program's entry next to this file. The name holds a hash of the whole program. */
declare const LOGTOOL_PROGRAM: string;

/**
 * Starts the program with the code that V8 compiled in an earlier run of the same command: finding, reading and
 * compiling the text takes longer than what most commands do. Node's own variable `NODE_DISABLE_COMPILE_CACHE` turns it
 * off.
 */
const directory = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheDirectory(process.env, homedir);
const program = `${LOGTOOL_PROGRAM.replace('.cjs', '')}-${process.version}-${process.arch}`;
const command = commandOf(process.argv.slice(2));
const cache = directory === undefined ? undefined : openCodeCache(join(directory, 'code'), program, command);
const limits = new HeapLimits();
// The dashboard serves many users at once, and charts are rendered from values that stay in memory: there speed is
// worth the memory.
if (command === 'logs') limits.start();
const loader = new ModuleLoader(import.meta.dirname, cache?.read() ?? new Map(), limits);
if (cache !== undefined)
  process.on('exit', (code) => {
    // A run that failed has not run the code that the next run needs.
    const pack = code === 0 ? loader.pack() : undefined;
    if (pack !== undefined) cache.write(pack);
  });
loader.load(LOGTOOL_PROGRAM);
