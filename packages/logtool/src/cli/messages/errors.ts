import type { ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ValueFailures } from '../failures.ts';
import { COMMAND_MESSAGES } from './commands.ts';
import { CONFIG_MESSAGES } from './config-file.ts';
import { LogtoolError } from './logtool-error.ts';
import type { Messages } from './message.ts';
import { USAGE_MESSAGES } from './usage.ts';
import { VALUE_MESSAGES } from './values.ts';

/** Makes the errors of one table: a code with its data, which has its message at once, as this is the edge. */
function errorsOf<Codes>(messages: Messages<Codes>, exit: ErrorClass) {
  return <C extends keyof Codes & string>(code: C, data: Codes[C], cause?: unknown): LogtoolError =>
    new LogtoolError({ ...messages[code](data), code: SHARED_CODES[code] ?? code, exit, cause });
}

/** Codes that several messages share: the failure is the same, and a script need not distinguish them. */
const SHARED_CODES: Readonly<Record<string, string>> = {
  'letter-needs-number': 'flag-needs-value',
  'config-not-a-section': 'config-bad-value',
  'config-wrong-type': 'config-bad-value',
  'config-unknown-column': 'config-bad-value',
  'empty-list': 'empty-value',
  'empty-format': 'empty-value',
};

/** A mistake in what was typed: exit code 2. */
export const usageFailure = errorsOf(USAGE_MESSAGES, 'usage');
/** A mistake in the configuration file, or in how it was asked for: exit code 2. */
export const configFailure = errorsOf(CONFIG_MESSAGES, 'usage');
/** A command that cannot do what it was asked for: exit code 1. */
export const commandFailure = errorsOf(COMMAND_MESSAGES, 'failure');

/** A mistake in one value: exit code 2. */
export function badValue<C extends keyof ValueFailures>(
  code: C,
  setting: { readonly value: string | undefined; readonly written: string },
  data: ValueFailures[C],
): LogtoolError {
  const value = setting.value ?? '';
  const shown = value === '' ? '(empty)' : sanitizeText(value.slice(0, 200));
  return new LogtoolError({
    ...VALUE_MESSAGES[code](data, setting.written),
    what: `bad value of ${setting.written}: ${shown}`,
    code: SHARED_CODES[code] ?? code,
    exit: 'usage',
  });
}
