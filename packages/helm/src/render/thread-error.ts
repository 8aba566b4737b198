import { CodedError } from '@logtool/kube/src/values/coded-error.ts';

/** An error as data: classes do not survive the transfer between threads. */
export interface ThreadError {
  /** The code and data of a CodedError; undefined for any other error. */
  readonly coded?: Pick<CodedError, 'code' | 'data' | 'exit'> | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** A file system code: `ENOENT`. */
  readonly code?: string | undefined;
  readonly cause?: ThreadError | undefined;
}

/** Maximum depth of causes to keep: `--debug` shows them. */
const MAX_CAUSES = 8;

/** @param depth the number of errors that this one is a cause of */
export function packError(error: unknown, depth = 0): ThreadError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { readonly code?: unknown }).code;
  return {
    coded: error instanceof CodedError ? codedOf(error) : undefined,
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    cause: cause === undefined || depth === MAX_CAUSES ? undefined : packError(cause, depth + 1),
  };
}

function codedOf({ code, data, exit }: CodedError): ThreadError['coded'] {
  return { code, data, exit };
}

/** Restores an error, with its code and data if it had them. */
export function unpackError(packed: ThreadError): Error {
  const { name, stack, code } = packed;
  const error = errorOf(packed, packed.cause === undefined ? undefined : unpackError(packed.cause));
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error instanceof CodedError || code === undefined ? error : Object.assign(error, { code });
}

function errorOf({ coded, message }: ThreadError, cause: Error | undefined): Error {
  if (coded !== undefined) return new CodedError(coded.code, coded.data, { exit: coded.exit, cause });
  return new Error(message, { cause });
}
