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
 * Returns the message of an error that any page may show. An error without a text here (from a newer server)
 * shows its code. Pages that read sources use `logMessageOf`, which covers more errors.
 */
export function messageOf(error: Coded): Message {
  return findMessage(MESSAGES, error) ?? { what: error.code };
}

/** Returns an error's message from a table; undefined if the table does not have its code. */
export function findMessage(
  messages: Readonly<Record<string, (data: never) => Message>>,
  { code, data }: Coded,
): Message | undefined {
  const message = Object.hasOwn(messages, code) ? messages[code] : undefined;
  if (message === undefined || typeof data !== 'object' || data === null) return undefined;
  // The tables are typed: the code determines the type of the data.
  return message(data as never);
}
