import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../api/http/request.ts';
import { unauthorized } from '../api-error.ts';
import type { Store } from '../store/store.ts';
import { forbidden } from './forbidden.ts';
import { authorize } from './rbac.ts';

/** The client certificate's fields, from the TLS layer. */
export interface PeerCertificate {
  /** Whether the cluster's CA signed it and it is valid now. */
  readonly authorized: boolean;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
}

export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly groups: readonly string[];
}

const AUTHENTICATION = 'authentication.k8s.io';
const EXTRA_PREFIX = 'impersonate-extra-';
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Returns the sender of a request: the client certificate's (CN is the user, O the groups), else the bearer token's (of
 * a user, or of a service account that `accountOf` finds), else the anonymous user.
 * @throws ApiError 401 for invalid credentials
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  certificate: PeerCertificate | undefined,
  tokens: readonly TokenUser[],
  accountOf: (token: string) => User | undefined,
): User {
  if (certificate !== undefined && !certificate.authorized) throw unauthorized();
  if (certificate !== undefined) {
    const id = `X509SHA256=${certificate.fingerprint}`;
    return {
      name: certificate.commonName,
      groups: [...certificate.organizations, 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [id] },
    };
  }
  const match = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '');
  if (match === null) {
    if (headers.authorization !== undefined) throw unauthorized();
    return ANONYMOUS;
  }
  const user = userOfToken(tokens, match[1] ?? '') ?? accountOf(match[1] ?? '');
  if (user === undefined) throw unauthorized();
  return user;
}

/** Returns the kubeconfig user with this token. */
export function userOfToken(tokens: readonly TokenUser[], given: string): User | undefined {
  const user = tokens.find(({ token }) => sameText(token, given));
  return user && { name: user.name, groups: [...user.groups, 'system:authenticated'] };
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Returns the user to act as (kubernetes.io/docs/reference/access-authn-authz/authentication: user impersonation).
 * @throws ApiError 403 if `user` lacks permission
 */
export function impersonate(store: Store, user: User, headers: IncomingHttpHeaders): User {
  const name = headers['impersonate-user'];
  if (typeof name !== 'string' || name === '') return user;
  const groups = [headers['impersonate-group'] ?? []].flat().flatMap((text) => text.split(/, */));
  check(store, user, 'users', name);
  for (const group of groups) check(store, user, 'groups', group);
  const service = name.startsWith('system:serviceaccount:');
  const implied = service
    ? ['system:serviceaccounts', `system:serviceaccounts:${name.split(':')[2]}`, 'system:authenticated']
    : ['system:authenticated'];
  const uid = [headers['impersonate-uid'] ?? []].flat()[0];
  if (uid !== undefined) check(store, user, 'uids', uid, '', AUTHENTICATION);
  const extra = impersonatedExtra(headers);
  for (const [key, values] of Object.entries(extra))
    for (const value of values) check(store, user, 'userextras', value, key, AUTHENTICATION);
  return {
    name,
    groups: [...new Set([...groups, ...implied])],
    ...(uid === undefined ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Returns the values of `Impersonate-Extra-KEY`, with percent-decoded keys. */
function impersonatedExtra(headers: IncomingHttpHeaders): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  for (const [header, value = []] of Object.entries(headers)) {
    if (!header.startsWith(EXTRA_PREFIX)) continue;
    const key = header.slice(EXTRA_PREFIX.length);
    extra[decoded(key)] = [value].flat().flatMap((text) => text.split(/, */));
  }
  return extra;
}

/** A key that is not percent-encoded is taken as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function check(store: Store, user: User, resource: string, name: string, subresource = '', group = ''): void {
  const attributes = {
    kind: 'resource',
    verb: 'impersonate',
    group,
    resource,
    subresource,
    namespace: undefined,
    name,
  } as const;
  if (!authorize(store, user, attributes).allowed) throw forbidden(user, attributes);
}
