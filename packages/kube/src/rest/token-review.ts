import type { RequestOptions } from '../client.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { postReview, type ReviewKind } from './post-review.ts';
import type { ReviewedUser } from './subject-review.ts';

const REVIEW: ReviewKind = { group: 'authentication.k8s.io', kind: 'TokenReview' };

/**
 * Returns whose bearer token it is; undefined if it is nobody's, or of another audience. Requires the ClusterRole
 * `system:auth-delegator`. Rejects with a KubeError if the server does not answer.
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-review-v1
 */
export async function reviewToken(
  wire: Wire,
  token: string,
  audience: string,
  options: RequestOptions = {},
): Promise<ReviewedUser | undefined> {
  const status = await postReview(wire, REVIEW, { token, audiences: [audience] }, options);
  // A server that does not know audiences returns none: then the token may be meant for the API server itself.
  const isFor = Array.isArray(status.audiences) && status.audiences.includes(audience);
  if (status.authenticated !== true || !isFor) return undefined;
  return readUser(status.user);
}

function readUser(value: unknown): ReviewedUser | undefined {
  const { username, uid, groups, extra } = asRecord(value) ?? {};
  if (typeof username !== 'string' || username === '') return undefined;
  const entries = Object.entries(asRecord(extra) ?? {}).map(
    ([key, values]) => [key, textsOf(values)] as const,
  );
  return {
    user: username,
    uid: typeof uid === 'string' ? uid : '',
    groups: textsOf(groups),
    extra: Object.fromEntries(entries),
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
