import type { RequestOptions } from '../client.ts';
import { isKubeError, KubeError, type RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';
import { reviewAccess } from './review.ts';

const SUBJECT: RequestSubject = { verb: 'create', resource: 'selfsubjectreviews.authentication.k8s.io' };
/** Long enough for the names of service accounts and of certificates. */
const MAX_NAME = 500;

/**
 * Returns the user name that the server recognizes. Returns undefined if the server accepts the credentials but does
 * not report the name (before Kubernetes 1.28, or without the permission that every user has by default). Rejects with
 * a KubeError of kind `unauthorized` if the server rejects the credentials.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#self-subject-review
 */
export async function readSelf(wire: Wire, options: RequestOptions = {}): Promise<string | undefined> {
  let answer: unknown;
  try {
    answer = await askSelf(wire, options);
  } catch (error) {
    // A server that denies permission has recognized the user.
    if (isKubeError(error, 'forbidden')) return undefined;
    if (!isKubeError(error, 'not-found')) throw error;
    await isRecognized(wire, options);
    return undefined;
  }
  const name = asRecord(asRecord(asRecord(answer)?.status)?.userInfo)?.username;
  if (typeof name !== 'string' || name === '') {
    throw new KubeError({ kind: 'protocol', problem: { code: 'no-user', data: {} }, request: SUBJECT });
  }
  // The server never saw the credentials: a proxy before it removed them.
  if (name === 'system:anonymous') throw anonymous();
  return name.slice(0, MAX_NAME);
}

function askSelf(wire: Wire, options: RequestOptions): Promise<unknown> {
  return performJson(
    wire,
    {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      subject: SUBJECT,
      accept: JSON_ACCEPT,
      contentType: 'application/json',
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
      signal: options.signal,
    },
    { rule: 'safe', limitBytes: 1024 * 1024 },
  );
}

/** Checks the credentials. Any request works: the server rejects wrong credentials before it reads the body. */
async function isRecognized(wire: Wire, options: RequestOptions): Promise<void> {
  try {
    await reviewAccess(wire, { verb: 'get', group: '', resource: 'pods' }, options);
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    // The wording of every API server: User "NAME" cannot ...
    if (error.message.includes('"system:anonymous"')) throw anonymous();
  }
}

function anonymous(): KubeError {
  return new KubeError({
    kind: 'unauthorized',
    problem: { code: 'anonymous', data: {} },
    status: 401,
    request: SUBJECT,
  });
}
