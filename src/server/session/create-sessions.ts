import type { Info } from '../../contract/cluster.ts';
import type { Clock } from '../../domain/clock.ts';
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
}

/** The session layer of an `--auth`, and the token that stands in the printed address, where there is one. */
export function createSessions(options: SessionsOptions): {
  readonly sessions: SessionLayer;
  readonly entryToken?: string | undefined;
} {
  switch (options.auth) {
    case 'none':
      return { sessions: openSessions() };
    case 'token': {
      const entryToken = randomToken();
      return { sessions: tokenSessions({ ...options, accessToken: entryToken }), entryToken };
    }
    case 'kubernetes':
      return { sessions: kubernetesSessions(options) };
  }
}
