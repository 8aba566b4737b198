import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import { unknownCodeText } from '../../messages/unknown-code.ts';
import type { Message } from './message.ts';
import { PAGE_MESSAGES } from './page.ts';

export type MessageTable = Readonly<Record<string, (data: never) => Message>>;

let messages: MessageTable = PAGE_MESSAGES;
let isLoaded = false;

/**
 * Loads the messages of errors that a server reports: whoever receives such an error calls this before it is shown. The
 * first load of the page goes without them, because a page without errors needs none, and a server that reports one can
 * deliver them. Never rejects: an error whose message cannot be loaded shows its code.
 */
export async function loadMessages(): Promise<void> {
  const reported = await import('./reported/reported-messages.ts').then(
    ({ REPORTED_MESSAGES }) => REPORTED_MESSAGES,
    () => undefined,
  );
  if (reported === undefined) return;
  messages = { ...reported, ...PAGE_MESSAGES };
  isLoaded = true;
}

/**
 * Returns the message of an error that any page may show. Where sources are read, `logMessageOf` knows more of them.
 */
export function messageOf(error: Coded): Message {
  return findMessage(messages, error) ?? unknownMessage(error, isLoaded);
}

/** Returns the message of an error without one. `isComplete`: whether the page has loaded all that it may need. */
export function unknownMessage({ code }: Coded, isComplete: boolean): Message {
  if (!isComplete)
    return { what: `the server reports "${code}"`, why: 'the page could not load its message' };
  return { what: unknownCodeText(code), next: 'Reload the page.' };
}

/** Returns an error's message from a table; undefined if the table does not have its code. */
export function findMessage(table: MessageTable, { code, data }: Coded): Message | undefined {
  const message = Object.hasOwn(table, code) ? table[code] : undefined;
  if (message === undefined || typeof data !== 'object' || data === null) return undefined;
  // The tables are typed: the code determines the type of the data.
  return message(data as never);
}
