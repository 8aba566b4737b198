import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { messageOf, worded } from '@logtool/logtool/src/cli/messages/worded.ts';

/** A failure as a user at a terminal reads it, with its cause. */
export function shown(failure: unknown): unknown {
  if (!(failure instanceof CodedError) || failure instanceof LogtoolError) return failure;
  const { code, exit, cause } = failure;
  return new LogtoolError({ ...messageOf(failure), code, exit, cause });
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

/** What the record of a release says of a failure, as the command line has it. */
export function describeForRecord(failure: CodedError): string {
  const { what, why } = worded(failure);
  return why === undefined ? what : `${what}: ${why}`;
}
