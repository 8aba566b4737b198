import type { AccessReview } from '@logtool/kube/src/client.ts';

/** An error as the Kubernetes API reports it. https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** What is wrong with one field of a request. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  /** Also to be sent as the header Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** Creates an error; `reason` is the machine-readable one of its code. */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
  } as const;
  return { ...status, ...(details === undefined ? {} : { details }), code };
}

/** For a caller that did not prove who it is. As in core, the message does not say what was wrong. */
export function unauthorized(): Status {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** For headers that name a caller and contradict themselves. */
export function badCaller(): Status {
  return failure(400, 'BadRequest', 'the headers that name the caller are invalid');
}

/** For an agent that sends something else than the public key for which it wants a certificate. */
export function badKey(): Status {
  return failure(400, 'BadRequest', 'the body is not a public key of the curve P-256');
}

/** The same for a body that is no key, by its size. */
export function keyTooLarge(maxBytes: number): Status {
  return failure(413, 'RequestEntityTooLarge', `the body is larger than ${maxBytes} bytes`);
}

const RETRY_AFTER_SECONDS = 5;
const UNANSWERED = {
  'front-proxy': 'the front proxy of the API server is unknown',
  review: 'the API server did not review the permission',
  pod: 'the API server did not return the pod',
  agent: 'the API server did not say which agent asks',
} as const;

/** For what only the API server can answer, while it does not. */
export function unavailable(missing: keyof typeof UNANSWERED): Status {
  return failure(503, 'ServiceUnavailable', UNANSWERED[missing], { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** A failure that has no error of its own; the log of the server has its cause. */
export function serverError(): Status {
  return failure(500, 'InternalError', 'logtool failed to answer the request');
}

/** For a caller without the permission, in the words of core. */
export function forbidden(user: string, question: AccessReview): Status {
  const { verb, group, resource, subresource, namespace, name } = question;
  const what = name === undefined ? resource : `${resource} "${name}"`;
  const asked = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${what} is forbidden: User "${user}" cannot ${verb} resource "${asked}" in API group "${group}" ${where}`;
  return failure(403, 'Forbidden', message, { ...(name === undefined ? {} : { name }), kind: resource });
}
