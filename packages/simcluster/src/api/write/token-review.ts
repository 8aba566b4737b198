import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { TokenUser } from '../../access/authenticate.ts';
import { userOfToken } from '../../access/authenticate.ts';
import { API_AUDIENCE, accountOfToken } from '../../access/service-account-token.ts';
import type { Store } from '../../store/store.ts';
import { at, text } from '../table/read.ts';

/**
 * Returns the owner of a token that the requester received
 * (kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-review-v1).
 */
export function tokenReview(
  store: Store,
  clock: Clock,
  tokens: readonly TokenUser[],
  body: unknown,
): Record<string, unknown> {
  const token = text(at(body, 'spec', 'token'));
  const asked = at(body, 'spec', 'audiences');
  const wanted = Array.isArray(asked) && asked.length > 0 ? asked.map(String) : [API_AUDIENCE];
  // Tokens of users have no audience: they are for the API server.
  const user = wanted.includes(API_AUDIENCE) ? userOfToken(tokens, token) : undefined;
  const account = user === undefined ? accountOfToken(store, clock, token, wanted) : undefined;
  const found = user === undefined ? account?.user : user;
  return {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    spec: { token, ...(Array.isArray(asked) ? { audiences: asked } : {}) },
    status:
      found === undefined
        ? { user: {}, error: 'invalid bearer token' }
        : {
            authenticated: true,
            user: {
              username: found.name,
              ...(account === undefined ? {} : { uid: account.uid }),
              groups: found.groups,
              ...(found.extra === undefined ? {} : { extra: found.extra }),
            },
            audiences: account === undefined ? [API_AUDIENCE] : account.audiences,
          },
  };
}
