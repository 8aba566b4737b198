import { type Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { filterMessages } from '../../../messages/filter.ts';
import type { Message, Messages } from '../../../messages/message.ts';
import { resolveMessages } from '../../../messages/resolve.ts';
import type { AnswerFailures } from '../../../server/failures.ts';
import { CliError } from '../../messages/cli-error.ts';
import { USAGE_MESSAGES } from '../../messages/usage.ts';
import { VALUE_MESSAGES } from '../../messages/values.ts';
import type { McpFailures } from '../failures.ts';
import { KUBE_MESSAGES } from './kube.ts';
import { ASSISTANT_READER } from './resolve.ts';

const OWN_MESSAGES: Messages<McpFailures & Pick<AnswerFailures, 'namespace-not-allowed'>> = {
  'bad-cursor': ({ text }) => ({
    what: `bad value of cursor: ${sanitizeText(text)}`,
    why: 'it is neither a cursor of an answer nor the time of a record',
    next: 'copy the cursor or the time from an answer, such as from:2026-11-21T10:00:00.5Z',
  }),
  'namespace-not-allowed': ({ namespace, allowed }) => ({
    what:
      namespace === undefined
        ? 'the default namespace is not allowed here'
        : `namespace ${sanitizeText(namespace)} is not allowed here`,
    why: `the person who runs logtool allows only: ${allowed.join(', ')}`,
    next: `name an allowed namespace before the source, such as ${allowed[0]}:deployments/web`,
  }),
  'read-too-slow': ({ limitMs }) => ({
    what: `found nothing within ${limitMs / 1000} s and did not read everything`,
    why: 'logtool cannot read the whole range in that time',
    next: 'narrow it with since and until, name fewer sources, or use count to find the right time',
  }),
};

const TABLE: Readonly<Record<string, (data: never) => Message>> = {
  ...KUBE_MESSAGES,
  ...resolveMessages(messageOf, ASSISTANT_READER),
  ...filterMessages((use) => use),
  ...OWN_MESSAGES,
};

/** Mistakes in arguments that the plan of `logs` finds, whose messages name only the argument. */
const ARGUMENT_ERRORS = new Set([
  'bad-choice',
  'bad-duration',
  'bad-pattern',
  'count-zero',
  'duration-calendar',
  'duration-negative',
  'empty-value',
  'empty-window',
  'pattern-too-large',
  'time-date-only',
  'time-malformed',
  'time-out-of-range',
  'time-without-zone',
]);

/**
 * Returns the message of a failure for an agent. A failure without a message here shows its code and none of
 * its data.
 */
export function messageOf(failure: Coded): Message {
  const { code, data } = failure;
  if (failure instanceof CliError) {
    const message = ARGUMENT_ERRORS.has(failure.entry) ? argumentMessage(failure) : undefined;
    return message ?? { what: code };
  }
  return Object.hasOwn(TABLE, code) ? TABLE[code]!(data as never) : { what: code };
}

function argumentMessage({ area, entry, data }: CliError): Message | undefined {
  const table: Readonly<Record<string, (data: never) => Message>> =
    area === 'value' ? VALUE_MESSAGES : (USAGE_MESSAGES as typeof VALUE_MESSAGES);
  return table[entry]?.(data as never);
}

/** Formats what, why and next, one per line. */
export function errorText(error: unknown): string {
  const { what, why, next } =
    error instanceof CodedError
      ? messageOf(error)
      : {
          what: 'logtool failed unexpectedly',
          why: undefined,
          next: 'ask the person who runs logtool: its standard error has the details',
        };
  const lines = [`error: ${what}`, ...(why ? [`why: ${why}`] : []), ...(next ? [`next: ${next}`] : [])];
  return lines.map((line) => line.split('\n').map(sanitizeText).join('\n')).join('\n');
}
