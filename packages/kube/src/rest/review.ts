import type { AccessReview, RequestOptions } from '../client.ts';
import type { Wire } from '../transport/wire.ts';
import { noVerdict, postReview, type ReviewKind } from './post-review.ts';

const REVIEW: ReviewKind = { group: 'authorization.k8s.io', kind: 'SelfSubjectAccessReview' };

/**
 * Returns whether the current user has a permission. If a role limits permission to named objects (resourceNames), a
 * review without a name returns false, so set the name if there is one.
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function reviewAccess(
  wire: Wire,
  review: AccessReview,
  options: RequestOptions = {},
): Promise<boolean> {
  const resourceAttributes = {
    verb: review.verb,
    group: review.group,
    resource: review.resource,
    subresource: review.subresource,
    namespace: review.namespace,
    name: review.name,
  };
  const { allowed } = await postReview(wire, REVIEW, { resourceAttributes }, options);
  if (typeof allowed === 'boolean') return allowed;
  throw noVerdict(REVIEW);
}
