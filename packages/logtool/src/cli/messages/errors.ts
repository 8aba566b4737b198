import type { CodedError, ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import type { ValueFailures } from '../failures.ts';
import { CliError, type CliFailures } from './cli-error.ts';
import { LogtoolError } from './logtool-error.ts';

/** Creates the errors of one area: a code with its data. */
function errorsOf<A extends keyof CliFailures>(area: A, exit: ErrorClass) {
  return <C extends keyof CliFailures[A] & string>(
    entry: C,
    data: CliFailures[A][C],
    cause?: unknown,
  ): CliError => new CliError({ area, entry, exit }, data, cause);
}

/** A usage mistake: exit code 2. */
export const usageFailure = errorsOf('usage', 'usage');
/** A mistake in the configuration file, or in the flag that names it: exit code 2. */
export const configFailure = errorsOf('config', 'usage');
/** A command fails: exit code 1. */
export const commandFailure = errorsOf('command', 'failure');

/** A mistake in one value: exit code 2. */
export function badValue<C extends keyof ValueFailures>(
  code: C,
  { value, written }: { readonly value: string | undefined; readonly written: string },
  fault: ValueFailures[C],
): CliError {
  return new CliError({ area: 'value', entry: code, exit: 'usage' }, { value, written, fault });
}

/**
 * Adds an error's message for a terminal. Loads the tables of messages only to show an error, and helm's only
 * for a failure of helm.
 */
export async function withMessage(error: CodedError): Promise<LogtoolError> {
  if (error instanceof LogtoolError) return error;
  const { hasMessage, worded } = await import('./worded.ts');
  return hasMessage(error) ? worded(error) : (await import('./helm.ts')).helmWorded(error);
}
