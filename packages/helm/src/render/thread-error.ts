import { LogtoolError } from '@logtool/kube/src/values/errors.ts';

/** An error as data: a class does not cross from one thread to another. */
export interface ThreadError {
  /** What is shown of a LogtoolError; undefined for any other error. */
  readonly shown?: Pick<LogtoolError, 'code' | 'what' | 'why' | 'next' | 'nextOnPage' | 'exit'> | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of the file system: `ENOENT`. */
  readonly code?: string | undefined;
  readonly cause?: ThreadError | undefined;
}

/** Causes that are kept: `--debug` shows them. */
const MAX_CAUSES = 8;

/** @param depth how many errors this one is the cause of */
export function packError(error: unknown, depth = 0): ThreadError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { readonly code?: unknown }).code;
  return {
    shown: error instanceof LogtoolError ? shownOf(error) : undefined,
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    cause: cause === undefined || depth === MAX_CAUSES ? undefined : packError(cause, depth + 1),
  };
}

function shownOf({ code, what, why, next, nextOnPage, exit }: LogtoolError): ThreadError['shown'] {
  return { code, what, why, next, nextOnPage, exit };
}

/** The error again: a LogtoolError where it was one. */
export function unpackError(packed: ThreadError): Error {
  const { shown, name, message, stack, code } = packed;
  const cause = packed.cause === undefined ? undefined : unpackError(packed.cause);
  const error = shown === undefined ? new Error(message, { cause }) : new LogtoolError({ ...shown, cause });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return shown === undefined && code !== undefined ? Object.assign(error, { code }) : error;
}
