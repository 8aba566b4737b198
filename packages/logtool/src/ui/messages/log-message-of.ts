import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import { filterMessages } from '../../messages/filter.ts';
import { resolveMessages } from '../../messages/resolve.ts';
import { knownText } from '../../messages/unknown-code.ts';
import type { Message } from './message.ts';
import { findMessage, type MessageTable, unknownMessage } from './message-of.ts';
import { PAGE_MESSAGES } from './page.ts';
import { KUBE_MESSAGES } from './reported/kube.ts';
import { SERVER_MESSAGES } from './reported/server.ts';
import { PAGE_READER } from './resolve.ts';

const PATTERNS = {
  grep: 'the filter',
  exclude: 'the filter of lines left out',
  highlight: 'the pattern to highlight',
} as const;

const MESSAGES: MessageTable = {
  ...KUBE_MESSAGES,
  ...SERVER_MESSAGES,
  ...PAGE_MESSAGES,
  ...resolveMessages(logMessageOf, PAGE_READER),
  ...filterMessages((use) => knownText(PATTERNS, use)),
};

/**
 * Returns the message of an error on pages that read sources; it also covers sources and patterns, which home
 * never shows.
 */
export function logMessageOf(error: Coded): Message {
  return findMessage(MESSAGES, error) ?? unknownMessage(error, true);
}
