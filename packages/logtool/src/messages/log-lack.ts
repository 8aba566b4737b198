import type { LogLack } from '../domain/verdicts/log-lack.ts';
import { knownText } from './unknown-code.ts';

const TEXTS: { readonly [C in LogLack]: string } = {
  bytes: 'all logs together are too large',
  time: 'it did not arrive in time',
  waiting: 'the container has not started',
  left: 'its pod is gone, or no longer among the pods that you asked for',

  rotated: 'the node has removed earlier lines',
  'begins-late': 'the log begins late, so the node may have removed earlier lines',
  'run-begins-late': 'the log of that run begins late, so the node may have removed earlier lines of it',
  'runs-gone': 'the node no longer has the logs of earlier runs',
  'run-removed': 'the container restarted, and the node removed the log of its earlier run',
  'run-lost': 'a run ended, and the node removed its log before logtool could read it',
  'restarted-twice': 'the container restarted more than once, and logtool has not read the runs in between',
  'pod-deleted': 'its pod was deleted',
  'previous-unreadable': 'logtool could not read the log of its previous run',
  'log-gone': 'the node no longer serves it',
  'end-unread': 'logtool could not read it to its end',

  'connection-lost': 'the connection to the cluster broke',
  credentials: 'logtool could not get valid credentials',
  forbidden: 'you lack permission to get its log',
  'no-answer': 'the node did not answer in time',
  'not-found': 'the cluster did not find its pod, its container or its log',
  'protocol-error': 'logtool could not read the answer of the cluster',
  'refused-request': 'the cluster refused the request',
  'server-error': 'the API server or the node failed',
  tls: 'there is no secure connection to the cluster',
  'too-many-requests': 'the API server takes no more requests',
  unauthorized: 'the cluster does not accept the credentials of logtool',
  unexpected: 'the read failed unexpectedly',
  unreachable: 'logtool could not reach the cluster',
};

/** Returns why a log, or a part of it, is unknown, as the end of a sentence. */
export function lackText(lack: LogLack): string {
  return knownText(TEXTS, lack);
}
