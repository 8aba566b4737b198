import type { AccessReview, RequestOptions } from '../client.ts';
import type { Wire } from '../transport/wire.ts';
import { noVerdict, postReview, type ReviewKind } from './post-review.ts';

/** A user as an API server describes one to another. */
export interface ReviewedUser {
  readonly user: string;
  /** '' if there is none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const REVIEW: ReviewKind = { group: 'authorization.k8s.io', kind: 'SubjectAccessReview' };

/**
 * Returns whether another user has a permission. Requires the ClusterRole `system:auth-delegator`. Rejects with a
 * KubeError if the server does not answer with a verdict.
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function reviewSubject(
  wire: Wire,
  subject: ReviewedUser,
  review: AccessReview,
  options: RequestOptions = {},
): Promise<boolean> {
  const { verb, group, resource, subresource, namespace, name } = review;
  const { user, uid, groups, extra } = subject;
  const resourceAttributes = { verb, group, resource, subresource, namespace, name };
  const spec = { user, uid, groups, extra, resourceAttributes };
  const { allowed, denied } = await postReview(wire, REVIEW, spec, options);
  if (typeof allowed === 'boolean') return allowed && denied !== true;
  throw noVerdict(REVIEW);
}
