import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';

/** How the process ends, as a number. A closed pipe (`| head`) is a quiet success. */
export const EXIT = {
  done: 0,
  failure: 1,
  usage: 2,
  /** `why`: something is not as it should be, and nothing that could be read says why. */
  unexplained: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(error: CodedError): ExitCode {
  return error.exit === 'usage' ? EXIT.usage : EXIT.failure;
}

/** Why everything was ended before its time: the reason of the context's AbortSignal. */
export class Stop extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}
