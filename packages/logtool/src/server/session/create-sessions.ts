import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Info } from '../../contract/cluster.ts';
import type { CheckToken } from '../clusters/check-token.ts';
import { kubernetesSessions } from './kubernetes-sessions.ts';
import { openSessions } from './open-sessions.ts';
import { randomToken } from './random-token.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';
import { tokenSessions } from './token-sessions.ts';

export interface SessionsOptions {
  readonly auth: Info['auth'];
  readonly clock: Clock;
  readonly basePath: string;
  /** Asks a cluster whose token this is. */
  readonly check: CheckToken;
  readonly onEnd: OnSessionEnd;
  /** Keys that other replicas share, for `--auth kubernetes`. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Creates the session layer for an `--auth`; `entry` has the token of the printed address and issues one-time codes, if
 * a token grants access to browsers.
 */
export function createSessions(options: SessionsOptions): {
  readonly sessions: SessionLayer;
  readonly entry?: { readonly token: string; issueCode(): string };
} {
  switch (options.auth) {
    case 'none':
      return { sessions: openSessions() };
    case 'token': {
      const token = randomToken();
      const sessions = tokenSessions({ ...options, accessToken: token });
      return { sessions, entry: { token, issueCode: () => sessions.issueCode() } };
    }
    case 'kubernetes':
      return { sessions: kubernetesSessions(options) };
  }
}
