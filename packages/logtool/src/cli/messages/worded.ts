import { type Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { SimClusterFailures } from '@logtool/simcluster/src/start.ts';
import { filterMessages } from '../../messages/filter.ts';
import { resolveMessages } from '../../messages/resolve.ts';
import { KUBE_MESSAGES } from './kube.ts';
import { LogtoolError } from './logtool-error.ts';
import type { Message, MessageOfFailure, Messages } from './message.ts';
import { TERMINAL_READER } from './resolve.ts';
import { SERVER_MESSAGES } from './server.ts';

/** Errors of the simulated cluster are about a scenario, and address its author. */
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

/** A pattern is called by its flag. */
const FILTER_MESSAGES = filterMessages((use) => `--${use}`);

/** Tables of several areas together: they are typed area by area, and what has the code has its data. */
export type MessageTable = Readonly<
  Record<string, (data: never, messageOf: MessageOfFailure, clusterFlags: string) => Message>
>;

/** Those of every area but helm, whose own are only loaded with a command that may need them (helm.ts). */
export const MESSAGES: MessageTable = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf, TERMINAL_READER),
  ...FILTER_MESSAGES,
  ...SERVER_MESSAGES,
  ...SIMCLUSTER_MESSAGES,
};

/** The message of a code, whichever area it is from; shows a code without a message unchanged. */
export function messageOf(coded: Coded): Message {
  return messageIn(MESSAGES, coded, '');
}

/** The message of a code by these tables. */
export function messageIn(table: MessageTable, { code, data }: Coded, clusterFlags: string): Message {
  const message = Object.hasOwn(table, code) ? table[code] : undefined;
  if (message === undefined) return { what: code, why: JSON.stringify(data) };
  const messageOfFailure = (failure: Error): Message => {
    if (failure instanceof LogtoolError) return failure;
    return failure instanceof CodedError
      ? messageIn(table, failure, clusterFlags)
      : { what: failure.message };
  };
  return message(data as never, messageOfFailure, clusterFlags);
}

/** An error with its message for a terminal. */
export function worded(error: CodedError): LogtoolError {
  return wordedBy(messageOf, error);
}

export function wordedBy(message: (coded: Coded) => Message, error: CodedError): LogtoolError {
  if (error instanceof LogtoolError) return error;
  const { code, exit } = error;
  return new LogtoolError({ ...message(error), code, exit, cause: error });
}
