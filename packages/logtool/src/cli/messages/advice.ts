import { LogtoolError } from './logtool-error.ts';

/** What a command advises beside, or instead of, the message of a code: it knows what was typed. */
export const ADVICE = {
  /** The chart repository could not be added, and is not needed. */
  bundledChart: (next: string) =>
    `${next}; logtool cluster install works without the repository, from the bundled chart`,
  /** `--context=3`, as grep has it: here that is the name of a context. */
  contextLines: (count: string, next: string) =>
    `for ${count} records before and after each match: -C ${count}; ${next}`,
  /** `-c app`, as kubectl and stern name a container: here it names a file. */
  containerName: (name: string) =>
    `for the container: --container ${name}; -c names logtool's own configuration file`,
} as const;

/** The error with other advice. */
export function readvised(error: LogtoolError, next: string): LogtoolError {
  const { code, what, why, exit, cause } = error;
  return new LogtoolError({ code, what, why, next, exit, cause });
}
