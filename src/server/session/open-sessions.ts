import { LogtoolError } from '../../domain/errors.ts';
import type { Session } from '../services.ts';
import { randomToken } from './random-token.ts';
import type { SessionLayer } from './session-layer.ts';

/** `--auth none`: whoever reaches the server is let in, and all are one session. */
export function openSessions(): SessionLayer {
  const session: Session = { id: randomToken(), pageToken: randomToken() };
  return {
    find: async () => session,
    signIn: async () => {
      throw new LogtoolError({
        code: 'no-sign-in',
        what: 'there is no sign-in',
        why: 'this server lets everyone in who reaches it (--auth none)',
      });
    },
    signOut: async () => [],
    stillGood: async () => true,
    close() {},
  };
}
