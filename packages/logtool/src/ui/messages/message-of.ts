import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import { filterMessages } from '../../messages/filter.ts';
import { resolveMessages } from '../../messages/resolve.ts';
import { KUBE_MESSAGES } from './kube.ts';
import type { Message } from './message.ts';
import { PAGE_MESSAGES } from './page.ts';
import { PAGE_READER } from './resolve.ts';
import { SERVER_MESSAGES } from './server.ts';

const PATTERNS = {
  grep: 'the filter',
  exclude: 'the filter of lines left out',
  highlight: 'the pattern to highlight',
} as const;

const FILTER_MESSAGES = filterMessages((use) => PATTERNS[use]);

const MESSAGES: Readonly<Record<string, (data: never) => Message>> = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf, PAGE_READER),
  ...FILTER_MESSAGES,
  ...SERVER_MESSAGES,
  ...PAGE_MESSAGES,
};

/** The message of an error. One that this page has no words for (of a newer server) shows its code. */
export function messageOf({ code, data }: Coded): Message {
  const message = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined;
  if (message === undefined || typeof data !== 'object' || data === null) return { what: code };
  // The tables are typed area by area: what has the code has its data.
  return message(data as never);
}
