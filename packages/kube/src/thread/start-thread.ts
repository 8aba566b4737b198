import { Worker } from 'node:worker_threads';
import { type ThreadName, threadScript } from './thread-scripts.ts';

interface ThreadOptions {
  /** The script's `workerData`. */
  readonly workerData?: unknown;
  /**
   * Limit of the thread's JavaScript heap in MiB; a thread that exceeds it ends with `ERR_WORKER_OUT_OF_MEMORY`. Bun
   * has no such limit.
   */
  readonly heapMiB?: number;
}

/**
 * Starts a script of the program in a separate thread, which `terminate()` ends at any time
 * (https://nodejs.org/docs/latest-v20.x/api/worker_threads.html). Terminate a thread that is no longer needed, or call
 * `unref()` so that it does not keep the process running.
 */
export function startThread(name: ThreadName, options: ThreadOptions = {}): Worker {
  return new Worker(threadScript(name), { workerData: options.workerData, ...settingsOf(name, options) });
}

/** A thread's script as an earlier run compiled it. */
export interface CompiledScript {
  readonly text: Uint8Array;
  /** V8's compiled code of the text. */
  readonly code: Uint8Array;
}

/** Like `startThread`, but reuses compiled code; `known` is what `compiledScript` returned in an earlier run. */
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
 * Requests the compiled script to keep from an idle thread of `startCompiledThread`; resolves undefined if the thread
 * started with it. Afterwards the thread does not keep the process running.
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
    // While this waits, the thread keeps the process running.
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

/** Threads that run code compiled by an earlier run. */
const upToDate = new WeakSet<Worker>();

/** Loads a script as Node's require does, from its compiled code if V8 accepts that. */
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
