import type { AnswerFailures } from '../../../contract/server-failures.ts';
import { type NextOf, withNext } from '../../../messages/message.ts';
import { ANSWER_FACTS } from '../../../messages/server.ts';
import { ANSWER_NEXT, OPEN_PRINTED, requestNext } from '../../../messages/server-next.ts';

const NEXT: NextOf<AnswerFailures> = {
  ...ANSWER_NEXT,
  'bad-request': ({ problem }) => requestNext(problem, 'load the page again'),
  'foreign-host':
    'open an address that logtool printed, or ask whoever runs the server to allow this host name',
  'foreign-origin':
    'open the dashboard itself; behind a proxy, ask whoever runs the server to allow its host name',
  'no-such-route': ({ isApi }) => (isApi ? 'load the page again' : OPEN_PRINTED),
};

export const SERVER_MESSAGES = withNext(ANSWER_FACTS, NEXT);
