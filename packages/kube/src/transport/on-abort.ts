import { setMaxListeners } from 'node:events';

/**
 * Calls back when the signal is aborted (at once when it is already); the returned function takes the callback away.
 * One signal ends a whole view with its thousand streams, so Node's warning of more than ten listeners is switched
 * off for it: it would be printed between the records.
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
