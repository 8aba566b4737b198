import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { worded } from '@logtool/logtool/src/cli/messages/worded.ts';

/** A failure with its message at a terminal. */
export function inWords(error: unknown): LogtoolError {
  if (error instanceof CodedError) return worded(error);
  throw error;
}

/** The same promise, but what it rejects with has its message at a terminal. */
export function rejectingInWords<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw inWords(error);
  });
}
