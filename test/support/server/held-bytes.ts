import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the bytes that the process holds after a garbage collection: the heap, and buffers outside it. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
