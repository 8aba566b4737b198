import { type Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { FILTER_MESSAGES } from './filter.ts';
import { HELM_MESSAGES } from './helm.ts';
import { KUBE_MESSAGES } from './kube.ts';
import type { Message, MessageOfFailure } from './message.ts';
import { resolveMessages } from './resolve.ts';
import { SERVER_MESSAGES } from './server.ts';
import { SIMCLUSTER_MESSAGES } from './simcluster.ts';

const MESSAGES: Readonly<Record<string, (data: never, messageOf: MessageOfFailure) => Message>> = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf),
  ...FILTER_MESSAGES,
  ...SERVER_MESSAGES,
  ...SIMCLUSTER_MESSAGES,
  ...HELM_MESSAGES,
};

/** The message of a code, whichever area it is from; shows a code without a message unchanged. */
export function messageOf({ code, data }: Coded): Message {
  const message = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined;
  // The tables are typed area by area: what has the code has its data.
  return message === undefined
    ? { what: code, why: JSON.stringify(data) }
    : message(data as never, messageOfFailure);
}

function messageOfFailure(failure: Error): Message {
  if (failure instanceof LogtoolError) return failure;
  return failure instanceof CodedError ? messageOf(failure) : { what: failure.message };
}

/** An error with its message for a terminal. */
export function worded(error: CodedError): LogtoolError {
  if (error instanceof LogtoolError) return error;
  const { code, exit } = error;
  return new LogtoolError({ ...messageOf(error), code, exit, cause: error });
}
