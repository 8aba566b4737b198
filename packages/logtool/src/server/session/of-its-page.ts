import { givenPageToken } from '../security/page-token.ts';
import type { Session } from '../services.ts';
import { isSameSecret } from './random-token.ts';

/**
 * Whether a request with a session's cookie also carries the session's page token. Browsers send cookies to every port
 * of a host name, so another server there learns the cookie; only pages of this origin have the token (the page keeps
 * it in the storage of its origin). A cookie without the token has no session.
 */
export function isOfItsPage(request: Request, { pageToken }: Pick<Session, 'pageToken'>): boolean {
  return isSameSecret(givenPageToken(request), pageToken);
}
