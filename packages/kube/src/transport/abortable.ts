import { onAbort } from './on-abort.ts';

/**
 * Settles as the promise does, or rejects with the signal's reason if it aborts first. The promise's work continues.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(forget);
  });
}
