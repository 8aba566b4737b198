import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmWorded } from '@logtool/logtool/src/cli/messages/helm.ts';
import type { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';

/** Returns a failure with its message for a terminal. */
export function withMessage(error: unknown): LogtoolError {
  if (error instanceof CodedError) return helmWorded(error);
  throw error;
}

/** Returns the same promise, whose rejection has its message for a terminal. */
export function rejectingWithMessage<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw withMessage(error);
  });
}
