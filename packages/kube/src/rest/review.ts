import type { AccessReview, RequestOptions } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';

const SUBJECT: RequestSubject = { verb: 'create', resource: 'selfsubjectaccessreviews.authorization.k8s.io' };

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
  const answer = await performJson(
    wire,
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      subject: SUBJECT,
      accept: JSON_ACCEPT,
      contentType: 'application/json',
      body: JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      }),
      signal: options.signal,
    },
    // A review stores nothing, so repeating it is safe.
    { rule: 'safe', limitBytes: 1024 * 1024 },
  );
  const status = asRecord(asRecord(answer)?.status);
  if (typeof status?.allowed === 'boolean') return status.allowed;
  throw new KubeError({
    kind: 'protocol',
    problem: { code: 'no-verdict', data: {} },
    request: SUBJECT,
  });
}
