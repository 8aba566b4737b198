import type { ProcessRun } from './process-run.ts';
import type { ProcessOutput } from './runtime.ts';

/** How many bytes to write between two pauses for the rest of the process. */
const SLICE_BYTES = 1024 * 1024;

type OnRuntimeStart = (callback: () => void) => () => void;

/** Writes outputs one after another; waits whenever the process would block. See ContainerRuntime.backfill. */
export async function backfillRun(
  run: ProcessRun,
  outputs: Iterable<ProcessOutput> | AsyncIterable<ProcessOutput>,
  onRuntimeStart: OnRuntimeStart,
  signal?: AbortSignal,
): Promise<void> {
  const release = run.log.holdBursts();
  let slice = 0;
  /**
   * Returns undefined while the loop may continue without a pause: a promise for each output would cost more than its
   * bytes.
   */
  const put = (output: ProcessOutput): Promise<void> | undefined => {
    signal?.throwIfAborted();
    if (!run.write(output)) return putLater(run, output, onRuntimeStart, signal);
    slice += output.bytes.length;
    if (slice < SLICE_BYTES) return undefined;
    slice = 0;
    return new Promise((resolve) => setImmediate(resolve));
  };
  try {
    if (Symbol.asyncIterator in outputs) {
      for await (const output of outputs) await put(output);
    } else {
      for (const output of outputs) {
        const pause = put(output);
        if (pause !== undefined) await pause;
      }
    }
  } finally {
    release();
  }
}

/** Waits until the runtime is back and the output fits into the pipe. */
async function putLater(
  run: ProcessRun,
  output: ProcessOutput,
  onRuntimeStart: OnRuntimeStart,
  signal?: AbortSignal,
): Promise<void> {
  do {
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        stop();
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      const stop = onRuntimeStart(() => {
        end();
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  } while (!run.write(output));
}
