import { setMaxListeners } from 'node:events';

/**
 * Calls back when the signal aborts (at once if it already has); returns a function that removes the callback. One
 * signal ends a whole view with its thousand streams, so this disables Node's warning about more than ten listeners: it
 * would appear between the records.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    callback();
    return () => {};
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}
