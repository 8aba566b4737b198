import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { CompiledScript } from '@logtool/kube/src/thread/start-thread.ts';
import { threadScript } from '@logtool/kube/src/thread/thread-scripts.ts';
import { cacheDirectory } from '../cache/cache-place.ts';
import { openCodeCache } from '../cache/code-cache.ts';
import type { CliContext } from '../context.ts';

/** What a run keeps for the next one of what V8 compiled of a thread's script. */
interface ThreadCode {
  read(): CompiledScript | undefined;
  write(script: CompiledScript): void;
}

/** Only of a script whose name identifies its content. */
const NAMED_BY_CONTENT = /^(\w+-[0-9A-F]{8})\.cjs$/;

/**
 * The compiled code of the thread of charts, beside that of the program (`start/main.ts`). Undefined if nothing is
 * kept: Bun compiles in another way, and `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
export function chartThreadCode(env: CliContext['env']): ThreadCode | undefined {
  const name = NAMED_BY_CONTENT.exec(basename(threadScript('chart')))?.[1];
  const directory = cacheDirectory(env, homedir);
  const isOff = Boolean(env.NODE_DISABLE_COMPILE_CACHE) || process.versions.bun !== undefined;
  if (name === undefined || directory === undefined || isOff) return undefined;
  const program = `${name}-${process.version}-${process.arch}`;
  const cache = openCodeCache(join(directory, 'code'), program, 'thread');
  return {
    read: () => cache.read()?.get(name),
    write: ({ text, code }) =>
      cache.write(new Map([[name, { text: Buffer.from(text), code: Buffer.from(code) }]])),
  };
}
