import { type Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { SimClusterFailures } from '@logtool/simcluster/src/start.ts';
import { filterMessages } from '../../messages/filter.ts';
import { resolveMessages } from '../../messages/resolve.ts';
import { CliError, type CliFailures } from './cli-error.ts';
import { COMMAND_MESSAGES } from './commands.ts';
import { CONFIG_MESSAGES } from './config-file.ts';
import { KUBE_MESSAGES } from './kube.ts';
import { LogtoolError } from './logtool-error.ts';
import type { Message, MessageOfFailure, Messages } from './message.ts';
import { TERMINAL_READER } from './resolve.ts';
import { SERVER_MESSAGES } from './server.ts';
import { USAGE_MESSAGES } from './usage.ts';
import { VALUE_MESSAGES } from './values.ts';

/** Errors of the simulated cluster concern a scenario, and address its author. */
const asWritten = (problem: Message): Message => problem;
const SIMCLUSTER_MESSAGES: Messages<SimClusterFailures> = {
  'bad-arguments': asWritten,
  'body-invalid': asWritten,
  'call-invalid': asWritten,
  'event-invalid': asWritten,
  'fault-invalid': asWritten,
  'scenario-invalid': asWritten,
  'control-target-missing': asWritten,
  'event-target-missing': asWritten,
};

/** Messages name a pattern by its flag. */
const FILTER_MESSAGES = filterMessages((use) => `--${use}`);

/**
 * Tables of several areas together. Each area is typed separately: a code determines the type of the data.
 */
export type MessageTable = Readonly<
  Record<string, (data: never, messageOf: MessageOfFailure, clusterFlags: string) => Message>
>;

/**
 * The messages of every area except helm, whose messages load only with a command that may need them
 * (helm.ts).
 */
export const MESSAGES: MessageTable = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf, TERMINAL_READER),
  ...FILTER_MESSAGES,
  ...SERVER_MESSAGES,
  ...SIMCLUSTER_MESSAGES,
};

/** The messages of the command line. */
const OWN_MESSAGES: {
  readonly [A in keyof CliFailures]: Readonly<Record<string, (data: never) => Message>>;
} = {
  usage: USAGE_MESSAGES,
  value: VALUE_MESSAGES,
  config: CONFIG_MESSAGES,
  command: COMMAND_MESSAGES,
};

/** Whether these tables have a message for the error. */
export function hasMessage(error: CodedError): boolean {
  return error instanceof CliError || Object.hasOwn(MESSAGES, error.code);
}

/** Returns the message of a code in any area; shows a code without a message unchanged. */
export function messageOf(coded: Coded): Message {
  return messageIn(MESSAGES, coded, '');
}

/** Returns the message of a code from these tables. */
export function messageIn(table: MessageTable, coded: Coded, clusterFlags: string): Message {
  const { code, data } = coded;
  const message =
    coded instanceof CliError
      ? OWN_MESSAGES[coded.area][coded.entry]
      : Object.hasOwn(table, code)
        ? table[code]
        : undefined;
  if (message === undefined) return { what: code, why: JSON.stringify(data) };
  const messageOfFailure = (failure: Error): Message => {
    if (failure instanceof LogtoolError) return failure;
    return failure instanceof CodedError
      ? messageIn(table, failure, clusterFlags)
      : { what: failure.message };
  };
  return message(data as never, messageOfFailure, clusterFlags);
}

/** Adds an error's message for a terminal. */
export function worded(error: CodedError): LogtoolError {
  return wordedBy(messageOf, error);
}

export function wordedBy(message: (coded: Coded) => Message, error: CodedError): LogtoolError {
  if (error instanceof LogtoolError) return error;
  const { code, exit } = error;
  return new LogtoolError({ ...message(error), code, exit, cause: error });
}
