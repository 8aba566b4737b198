import { useSyncExternalStore } from 'react';

/** One clock for every age on the page: all ages change together, once a second. */
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns ms since the epoch, at most a second old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    // The clock stops while nothing is mounted.
    if (timer === undefined) nowMs = Date.now();
    return nowMs;
  });
}
