/** Runs work by key: work that is added twice before it runs, runs once. The order is that of the first addition. */
export interface WorkQueue {
  add(key: string, work: () => void): void;
  /** Runs all work until none is left. */
  drain(): void;
  close(): void;
}

/** More rounds than this mean that two controllers undo each other's changes. */
const MAX_ROUNDS = 1_000_000;

export function createWorkQueue(onError: (error: unknown) => void): WorkQueue {
  const waiting = new Map<string, () => void>();
  let scheduled = false;
  let draining = false;
  let closed = false;

  const drain = (): void => {
    if (draining) return;
    draining = true;
    try {
      for (let round = 0; !closed; round++) {
        const next = waiting.entries().next();
        if (next.done === true) break;
        if (round > MAX_ROUNDS) throw new Error(`controllers do not come to rest at ${next.value[0]}`);
        const [key, work] = next.value;
        waiting.delete(key);
        try {
          work();
        } catch (error) {
          onError(error);
        }
      }
    } finally {
      draining = false;
    }
  };

  return {
    add(key, work) {
      if (closed || waiting.has(key)) return;
      waiting.set(key, work);
      if (scheduled || draining) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        drain();
      });
    },
    drain,
    close() {
      closed = true;
      waiting.clear();
    },
  };
}
