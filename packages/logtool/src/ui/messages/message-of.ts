import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { WireError } from '../../contract/error.ts';
import { KUBE_MESSAGES } from './kube.ts';
import type { Message } from './message.ts';
import { resolveMessages } from './resolve.ts';
import { SERVER_MESSAGES } from './server.ts';

const MESSAGES: Readonly<Record<string, (data: never) => Message>> = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf),
  ...SERVER_MESSAGES,
};

/** The message of an error of the server. One that this page has no words for (of a newer server) shows its code. */
export function messageOf(error: WireError | Coded): Message {
  const message = Object.hasOwn(MESSAGES, error.code) ? MESSAGES[error.code] : undefined;
  // The tables are typed area by area: what has the code has its data.
  if (error.data !== undefined && message !== undefined) return message(error.data as never);
  return 'what' in error ? error : { what: error.code };
}

/** A notice with the failure whose effect it reports. */
export function noticeText({
  text,
  cause,
}: {
  readonly text: string;
  readonly cause?: WireError | undefined;
}): string {
  return cause === undefined ? text : `${text}: ${messageOf(cause).what}`;
}
