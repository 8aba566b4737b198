import type { RequestOptions } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';

/** A kind of object that an API server answers and does not store: its resource is its name in lower case, with an s. */
export interface ReviewKind {
  readonly group: 'authorization.k8s.io' | 'authentication.k8s.io';
  readonly kind: string;
}

/**
 * Asks the API server for a review; returns its status. Rejects with a KubeError, also if the answer has no status.
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function postReview(
  wire: Wire,
  review: ReviewKind,
  spec: object,
  { signal }: RequestOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { group, kind } = review;
  const answer = await performJson(
    wire,
    {
      method: 'POST',
      path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
      subject: subjectOf(review),
      accept: JSON_ACCEPT,
      contentType: 'application/json',
      body: JSON.stringify({ apiVersion: `${group}/v1`, kind, spec }),
      signal,
    },
    // A review stores nothing, so repeating it is safe.
    { rule: 'safe', limitBytes: 1024 * 1024 },
  );
  const status = asRecord(asRecord(answer)?.status);
  if (status === undefined) throw noVerdict(review);
  return status;
}

/** The error of a server that answers a review without a verdict. */
export function noVerdict(review: ReviewKind): KubeError {
  return new KubeError({
    kind: 'protocol',
    problem: { code: 'no-verdict', data: {} },
    request: subjectOf(review),
  });
}

function subjectOf({ group, kind }: ReviewKind): RequestSubject {
  return { verb: 'create', resource: `${kind.toLowerCase()}s.${group}` };
}
