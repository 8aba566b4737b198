import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { User } from '../api/http/request.ts';
import type { Store, StoredObject } from '../store/store.ts';

/** The audience of tokens for the API server. */
export const API_AUDIENCE = 'https://kubernetes.default.svc';

const PREFIX = 'system:serviceaccount:';

/** The signing key of each cluster; it lives as long as the cluster. */
const keys = new WeakMap<Store, Buffer>();

function keyOf(store: Store): Buffer {
  let key = keys.get(store);
  if (key === undefined) {
    key = randomBytes(32);
    keys.set(store, key);
  }
  return key;
}

interface Claims {
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly uid: string;
  readonly aud: readonly string[];
}

/** A valid token's account, and the requested audiences that the token is for. */
export interface AccountToken {
  readonly user: User;
  readonly uid: string;
  readonly audiences: readonly string[];
}

/**
 * Issues a service account token in the form of a JWT
 * (kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin).
 */
export function issueAccountToken(
  store: Store,
  clock: Clock,
  account: StoredObject,
  request: { readonly lifetimeSeconds: number; readonly audiences: readonly string[] },
): { readonly token: string; readonly expirationTimestamp: string } {
  const { namespace = '', name, uid } = account.metadata;
  const now = Math.floor(clock.now() / 1000);
  const exp = now + request.lifetimeSeconds;
  const claims = {
    aud: request.audiences,
    exp,
    iat: now,
    iss: API_AUDIENCE,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    nbf: now,
    sub: `${PREFIX}${namespace}:${name}`,
    uid,
  };
  const encoded = [{ alg: 'HS256', typ: 'JWT' }, claims].map((section) =>
    Buffer.from(JSON.stringify(section)).toString('base64url'),
  );
  const text = encoded.join('.');
  const token = `${text}.${sign(store, text)}`;
  return { token, expirationTimestamp: `${new Date(exp * 1000).toISOString().slice(0, 19)}Z` };
}

/**
 * Returns the account of a token. Undefined if the signature is not this cluster's, the token has expired or is for
 * none of the audiences, or the account was deleted.
 */
export function accountOfToken(
  store: Store,
  clock: Clock,
  token: string,
  audiences: readonly string[] = [API_AUDIENCE],
): AccountToken | undefined {
  const end = token.lastIndexOf('.');
  const text = token.slice(0, Math.max(0, end));
  const [wanted, given] = [Buffer.from(sign(store, text)), Buffer.from(token.slice(end + 1))];
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined;
  const claims = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as Claims;
  if (claims.exp * 1000 <= clock.now()) return undefined;
  const [namespace, name = ''] = claims.sub.slice(PREFIX.length).split(':');
  if (store.get('serviceaccounts', namespace, name)?.metadata.uid !== claims.uid) return undefined;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const shared = claims.aud.filter((audience) => audiences.includes(audience));
  if (shared.length === 0) return undefined;
  return { user: { name: claims.sub, groups }, uid: claims.uid, audiences: shared };
}

function sign(store: Store, text: string): string {
  return createHmac('sha256', keyOf(store)).update(text).digest('base64url');
}
