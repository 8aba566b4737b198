import type { Info } from '../../contract/cluster.ts';
import type { Clock } from '../../domain/clock.ts';
import { usageError } from '../../domain/errors.ts';
import { openSessions } from './open-sessions.ts';
import { randomToken } from './random-token.ts';
import type { OnSessionEnd, SessionLayer } from './session-layer.ts';
import { tokenSessions } from './token-sessions.ts';

export interface SessionsOptions {
  readonly auth: Info['auth'];
  readonly clock: Clock;
  readonly basePath: string;
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
      throw usageError({
        code: 'auth-not-available',
        what: '--auth kubernetes is not part of this version',
        why: 'sign-in with a Kubernetes token is not built yet',
        next: 'use --auth token',
      });
  }
}
