import { CodedError, type ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import type { CommandFailures, ConfigFailures, UsageFailures, ValueFailures } from '../failures.ts';

/** What is wrong with a value, and its flag, variable or key. */
export interface BadValue<Fault> {
  readonly value: string | undefined;
  readonly written: string;
  readonly fault: Fault;
}

/** The failures of the command line. Each area has a table of messages. */
export interface CliFailures {
  readonly usage: UsageFailures;
  readonly value: { readonly [C in keyof ValueFailures]: BadValue<ValueFailures[C]> };
  readonly config: ConfigFailures;
  readonly command: CommandFailures;
}

/** A failure of the command line. It gets its message when it is shown: see worded.ts. */
export class CliError extends CodedError {
  readonly area: keyof CliFailures;
  /** The name of its message in the table of its area; several messages may share a code. */
  readonly entry: string;

  constructor(
    { area, entry, exit }: { readonly exit: ErrorClass } & Pick<CliError, 'area' | 'entry'>,
    data: unknown,
    cause?: unknown,
  ) {
    super(SHARED_CODES[entry] ?? entry, data, { exit, cause });
    this.area = area;
    this.entry = entry;
  }
}

/** Codes that several messages share: the failure is the same, so scripts need not distinguish them. */
const SHARED_CODES: Readonly<Record<string, string>> = {
  'letter-needs-number': 'flag-needs-value',
  'config-not-a-section': 'config-bad-value',
  'config-wrong-type': 'config-bad-value',
  'config-unknown-column': 'config-bad-value',
  'empty-list': 'empty-value',
  'empty-format': 'empty-value',
};
