import type { AccessReview, RequestOptions } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';

/** A user as an API server describes one to another. */
export interface ReviewedUser {
  readonly user: string;
  /** '' if there is none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const SUBJECT: RequestSubject = { verb: 'create', resource: 'subjectaccessreviews.authorization.k8s.io' };

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
  const answer = await performJson(
    wire,
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      subject: SUBJECT,
      accept: JSON_ACCEPT,
      contentType: 'application/json',
      body: JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: subject.user,
          uid: subject.uid,
          groups: subject.groups,
          extra: subject.extra,
          resourceAttributes: { verb, group, resource, subresource, namespace, name },
        },
      }),
      signal: options.signal,
    },
    // A review stores nothing, so repeating it is safe.
    { rule: 'safe', limitBytes: 1024 * 1024 },
  );
  const status = asRecord(asRecord(answer)?.status);
  if (typeof status?.allowed === 'boolean') return status.allowed && status.denied !== true;
  throw new KubeError({ kind: 'protocol', problem: { code: 'no-verdict', data: {} }, request: SUBJECT });
}
