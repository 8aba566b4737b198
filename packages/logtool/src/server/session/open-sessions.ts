import { createHmac, randomBytes } from 'node:crypto';
import { serverFailure } from '../failures.ts';
import { givenPageToken } from '../security/page-token.ts';
import { isSameSecret, randomToken } from './random-token.ts';
import type { SessionLayer } from './session-layer.ts';

/** One half of a token names the page, the other proves that this server issued it. */
const HALF_BYTES = 16;

/**
 * `--auth none`: admits everyone who reaches the server. Each page has its own session; its token is signed, not
 * stored, so closed pages leave nothing behind. Requests without a token share one session.
 */
export function openSessions(): SessionLayer {
  const key = randomBytes(32);
  const nobody = randomToken();
  const tokenOf = (name: Buffer) => {
    const proof = createHmac('sha256', key).update(name).digest().subarray(0, HALF_BYTES);
    return Buffer.concat([name, proof]).toString('base64url');
  };
  const isOurs = (token: string) =>
    isSameSecret(token, tokenOf(Buffer.from(token, 'base64url').subarray(0, HALF_BYTES)));
  return {
    async find(request) {
      const token = givenPageToken(request);
      return isOurs(token)
        ? { id: token, pageToken: token }
        : { id: nobody, pageToken: tokenOf(randomBytes(HALF_BYTES)) };
    },
    signIn: async () => {
      throw serverFailure('no-sign-in', {});
    },
    signOut: async () => [],
    stillGood: async () => true,
    close() {},
  };
}
