import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmMessageOf } from '@logtool/logtool/src/cli/messages/helm.ts';
import { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';

/** A failure as a user at a terminal reads it, with its cause. */
export function shown(failure: unknown): unknown {
  if (!(failure instanceof CodedError) || failure instanceof LogtoolError) return failure;
  const { code, exit, cause } = failure;
  return new LogtoolError({ ...helmMessageOf(failure), code, exit, cause });
}

/** As the promise, but rejects with the user's message. */
export function showing<Result>(promise: Promise<Result>): Promise<Result> {
  return promise.catch((failure: unknown) => {
    throw shown(failure);
  });
}

/** As the function, but throws the user's message. */
export function showingThrown<Result>(act: () => Result): () => Result {
  return () => {
    try {
      return act();
    } catch (failure) {
      throw shown(failure);
    }
  };
}
