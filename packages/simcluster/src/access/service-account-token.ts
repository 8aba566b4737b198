import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
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
  readonly jti: string;
  readonly 'kubernetes.io': { readonly pod?: BoundObject; readonly node?: BoundObject };
}

/** An object with which a token becomes invalid. */
interface BoundObject {
  readonly name: string;
  readonly uid: string;
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
  request: {
    readonly lifetimeSeconds: number;
    readonly audiences: readonly string[];
    /** The pod that the token is for: it becomes invalid with that pod. */
    readonly pod?: StoredObject | undefined;
  },
): { readonly token: string; readonly expirationTimestamp: string } {
  const { namespace = '', name, uid } = account.metadata;
  const now = Math.floor(clock.now() / 1000);
  const exp = now + request.lifetimeSeconds;
  const claims = {
    aud: request.audiences,
    exp,
    iat: now,
    iss: API_AUDIENCE,
    jti: randomUUID(),
    'kubernetes.io': { namespace, ...boundTo(store, request.pod), serviceaccount: { name, uid } },
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

function boundTo(store: Store, pod: StoredObject | undefined): Claims['kubernetes.io'] {
  if (pod === undefined) return {};
  const bound = ({ metadata: { name, uid } }: StoredObject): BoundObject => ({ name, uid });
  const nodeName = pod.spec?.nodeName;
  const node = typeof nodeName === 'string' ? store.get('nodes', undefined, nodeName) : undefined;
  return { ...(node === undefined ? {} : { node: bound(node) }), pod: bound(pod) };
}

/**
 * Returns the account of a token. Undefined if the signature is not this cluster's, the token has expired or is for
 * none of the audiences, or the account or the token's pod was deleted.
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
  const { pod } = claims['kubernetes.io'];
  if (pod !== undefined && store.get('pods', namespace, pod.name)?.metadata.uid !== pod.uid) return undefined;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const shared = claims.aud.filter((audience) => audiences.includes(audience));
  if (shared.length === 0) return undefined;
  const user = { name: claims.sub, uid: claims.uid, groups, extra: extraOf(claims) };
  return { user, uid: claims.uid, audiences: shared };
}

/** Returns what the API server adds to the user of a token (kubernetes.io/docs: service account token claims). */
function extraOf({ jti, 'kubernetes.io': { pod, node } }: Claims): Record<string, readonly string[]> {
  const prefix = 'authentication.kubernetes.io/';
  const of = (kind: string, object: BoundObject | undefined) =>
    object === undefined
      ? {}
      : { [`${prefix}${kind}-name`]: [object.name], [`${prefix}${kind}-uid`]: [object.uid] };
  return { [`${prefix}credential-id`]: [`JTI=${jti}`], ...of('node', node), ...of('pod', pod) };
}

function sign(store: Store, text: string): string {
  return createHmac('sha256', keyOf(store)).update(text).digest('base64url');
}
