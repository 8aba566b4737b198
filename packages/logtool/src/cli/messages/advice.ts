import { LogtoolError } from './logtool-error.ts';

/**
 * Advice that a command gives in addition to, or instead of, the message of a code: it knows what the user
 * typed.
 */
export const ADVICE = {
  /** logtool could not add the chart repository, and does not need it. */
  bundledChart: (next: string) =>
    `${next}; logtool cluster install works without the repository, from the bundled chart`,
  /** `--context=3`, grep's spelling for context lines: here it names a context. */
  contextLines: (count: string, next: string) =>
    `for ${count} records before and after each match: -C ${count}; ${next}`,
  /** `-c app`, the container flag of kubectl and stern: here it names a file. */
  containerName: (name: string) =>
    `for the container: --container ${name}; -c names logtool's own configuration file`,
} as const;

/** Returns the error with other advice. */
export function readvised(error: LogtoolError, next: string): LogtoolError {
  const { code, what, why, exit, cause } = error;
  return new LogtoolError({ code, what, why, next, exit, cause });
}
