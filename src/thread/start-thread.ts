import { Worker } from 'node:worker_threads';
import { type ThreadName, threadScript } from './thread-scripts.ts';

interface ThreadOptions {
  /** What the script finds in `workerData`. */
  readonly workerData?: unknown;
  /** Limit of the thread's JavaScript heap in MiB: beyond it the thread ends with `ERR_WORKER_OUT_OF_MEMORY`. Bun has no such limit. */
  readonly heapMiB?: number;
}

/**
 * Starts a script of the program in a thread of its own: `terminate()` ends it whatever it is doing
 * (https://nodejs.org/docs/latest-v20.x/api/worker_threads.html). A thread that nobody needs any more must be
 * terminated, or not keep the process running (`unref()`).
 */
export function startThread(name: ThreadName, { workerData, heapMiB }: ThreadOptions = {}): Worker {
  return new Worker(threadScript(name), {
    name: `logtool ${name}`,
    workerData,
    ...(heapMiB === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMiB } }),
  });
}
