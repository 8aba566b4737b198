import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import { KUBE_MESSAGES } from './kube.ts';
import type { Message } from './message.ts';
import { PAGE_MESSAGES } from './page.ts';
import { SERVER_MESSAGES } from './server.ts';

const MESSAGES: Readonly<Record<string, (data: never) => Message>> = {
  ...KUBE_MESSAGES,
  ...SERVER_MESSAGES,
  ...PAGE_MESSAGES,
};

/**
 * The message of an error that any page may show. One that this page has no words for (of a newer server) shows its code.
 * Where sources are read, `logMessageOf` knows more of them.
 */
export function messageOf(error: Coded): Message {
  return findMessage(MESSAGES, error) ?? { what: error.code };
}

/** The message of an error from a table; undefined if that does not know its code. */
export function findMessage(
  messages: Readonly<Record<string, (data: never) => Message>>,
  { code, data }: Coded,
): Message | undefined {
  const message = Object.hasOwn(messages, code) ? messages[code] : undefined;
  if (message === undefined || typeof data !== 'object' || data === null) return undefined;
  // The tables are typed area by area: what has the code has its data.
  return message(data as never);
}
