import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';

/** Exit codes of the process. A closed pipe (`| head`) is a quiet success. */
export const EXIT = {
  done: 0,
  failure: 1,
  usage: 2,
  /** `why`: something is wrong, and nothing logtool could read explains it. */
  unexplained: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(error: CodedError): ExitCode {
  return error.exit === 'usage' ? EXIT.usage : EXIT.failure;
}

/** Why the program stops early: the reason of the context's AbortSignal. */
export class Stop extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}
