import { Worker } from 'node:worker_threads';
import { type ThreadName, threadScript } from './thread-scripts.ts';

interface ThreadOptions {
  /** What the script finds in `workerData`. */
  readonly workerData?: unknown;
  /** Limit of the thread's JavaScript heap in MiB: beyond it the thread ends with `ERR_WORKER_OUT_OF_MEMORY`. Bun has no such limit. */
  readonly heapMiB?: number;
}

/**
 * Starts a script of the program in its own thread: `terminate()` ends it at any time
 * (https://nodejs.org/docs/latest-v20.x/api/worker_threads.html). Terminate a thread that is no longer
 * needed, or keep it from holding the process (`unref()`).
 */
export function startThread(name: ThreadName, options: ThreadOptions = {}): Worker {
  return new Worker(threadScript(name), { workerData: options.workerData, ...settingsOf(name, options) });
}

/** A script of a thread as an earlier run of it left it. */
export interface CompiledScript {
  readonly text: Uint8Array;
  /** What V8 made of the text. */
  readonly code: Uint8Array;
}

/**
 * As `startThread`, without compiling what was compiled before; `known`: what `compiledScript` gave in an earlier run.
 */
export function startCompiledThread(
  name: ThreadName,
  known: CompiledScript | undefined,
  options: Omit<ThreadOptions, 'workerData'> = {},
): Worker {
  const workerData: LoaderData = { path: threadScript(name), known };
  const thread = new Worker(LOADER, { eval: true, workerData, ...settingsOf(name, options) });
  if (known !== undefined) {
    upToDate.add(thread);
    thread.on('message', (message) => {
      if (message === REFUSED) upToDate.delete(thread);
    });
  }
  return thread;
}

/**
 * Asks an idle thread of `startCompiledThread` for what is worth keeping; undefined when it was started with it. The
 * thread does not keep the process running afterwards.
 */
export function compiledScript(thread: Worker): Promise<CompiledScript | undefined> {
  if (upToDate.has(thread)) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const onMessage = (message: { readonly compiled?: CompiledScript }) => {
      if (message.compiled === undefined) return;
      thread.off('message', onMessage).off('exit', onExit).unref();
      resolve(message.compiled);
    };
    const onExit = () => reject(new Error('thread-ended'));
    // What is waited for keeps the process running.
    thread.on('message', onMessage).on('exit', onExit).ref();
    thread.postMessage(COMPILED);
  });
}

interface LoaderData {
  readonly path: string;
  readonly known: CompiledScript | undefined;
}

const COMPILED = 'compiled';
const REFUSED = 'compiled-refused';

/** Threads that run what was compiled before. */
const upToDate = new WeakSet<Worker>();

/** Loads a script as Node's require does, from its compiled code where V8 takes that. */
const LOADER = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { createRequire } = require('node:module');
const { Script } = require('node:vm');
const { path, known } = workerData;
const head = '(function (exports, require, module, __filename, __dirname) {';
const text = known ? Buffer.from(known.text) : readFileSync(path);
const script = new Script(head + text.toString('utf8') + '\\n})', {
  filename: path,
  columnOffset: -head.length,
  ...(known ? { cachedData: Buffer.from(known.code) } : {}),
});
parentPort.on('message', (message) => {
  if (message !== '${COMPILED}') return;
  parentPort.postMessage({ compiled: { text, code: script.createCachedData() } });
});
if (script.cachedDataRejected === true) parentPort.postMessage('${REFUSED}');
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(path), module_, path, dirname(path));
`;

function settingsOf(name: ThreadName, { heapMiB }: ThreadOptions) {
  return {
    name: `logtool ${name}`,
    ...(heapMiB === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMiB } }),
  };
}
