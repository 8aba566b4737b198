import { givenPageToken } from '../security/page-token.ts';
import type { Session } from '../services.ts';
import { isSameSecret } from './random-token.ts';

/**
 * Whether a request whose cookie is of a session also carries the session's page token. Browsers send cookies to every
 * port of a host name, so another server there learns the cookie; only pages of this origin have the token (the page
 * keeps it in the storage of its origin). A cookie without it is nobody's.
 */
export function isOfItsPage(request: Request, { pageToken }: Pick<Session, 'pageToken'>): boolean {
  return isSameSecret(givenPageToken(request), pageToken);
}
