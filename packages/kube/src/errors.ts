import type { KubeErrorKind, KubeErrorLike } from './client.ts';
import { type KubeProblem, problemLine } from './values/problems.ts';

/** The subject of a request, in RBAC terms. For messages. */
export interface RequestSubject {
  /** The RBAC verb: get, list, watch, create, patch, delete. */
  readonly verb: string;
  /** Plural, with the group if any: `pods`, `deployments.apps`; a path for discovery: `/apis`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The readable part of a Status's `details`. */
export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

/** The fields of a KubeError, with the same meaning. */
export type KubeErrorInit = KubeErrorFields & {
  /** Undefined: `problem` describes what happened. */
  readonly message?: string | undefined;
  readonly problem?: KubeProblem | undefined;
};

interface KubeErrorFields {
  readonly kind: KubeErrorKind;
  /** HTTP status, or the code of a Status inside a watch; undefined if there was no response. */
  readonly status?: number | undefined;
  /** Machine-readable reason of the Status: `NotFound`, `Expired`. */
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  /** `metadata.continue` of a Status: where an expired list may continue, inconsistently. */
  readonly continueToken?: string | undefined;
  /** How long the server asks to wait; capped at one hour. */
  readonly retryAfterMs?: number | undefined;
  /** Code of the system or of TLS: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code?: string | undefined;
  readonly request?: RequestSubject | undefined;
  readonly cause?: unknown;
}

/** Returns how long the server asked to wait before the next request, if the error includes it. */
export function requestedWaitMs(error: unknown): number | undefined {
  return error instanceof KubeError ? error.retryAfterMs : undefined;
}

/** Limits the wait, so that a follow always retries, whatever a server or a proxy responds. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Any failure of talking to a cluster. `message` is the exact message of the server's Status, else that of the system;
 * `problem` describes what this package itself found wrong. failure/describe.ts makes texts for people.
 */
export class KubeError extends Error implements KubeErrorLike {
  readonly kind: KubeErrorKind;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: string | undefined;
  readonly request: RequestSubject | undefined;
  readonly problem: KubeProblem | undefined;

  constructor(fields: KubeErrorInit) {
    super(messageOf(fields), fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'KubeError';
    this.kind = fields.kind;
    this.status = fields.status;
    this.reason = fields.reason;
    this.details = fields.details;
    this.continueToken = fields.continueToken;
    this.retryAfterMs =
      fields.retryAfterMs === undefined ? undefined : Math.min(fields.retryAfterMs, MAX_WAIT_MS);
    this.code = fields.code;
    this.request = fields.request;
    this.problem = fields.problem;
  }
}

/** Returns the failure of an answer that began, and of which nothing more came for this long, ms. */
export function answerStopped(afterMs: number, request?: RequestSubject): KubeError {
  const problem = { code: 'answer-stopped', data: { afterMs } } as const;
  return new KubeError({ kind: 'connection', problem, code: 'ERR_NO_ANSWER', request });
}

function messageOf({ message, problem }: KubeErrorInit): string {
  return message ?? (problem === undefined ? '' : problemLine(problem));
}

/**
 * Whether the requested object does not exist, according to the server. A path that it does not serve is a 404 too, but
 * without a name.
 */
export function isAbsentObject(error: unknown): error is KubeError {
  return isKubeError(error, 'not-found') && error.details?.name !== undefined;
}

/** Whether a caught value is a KubeError, and of that kind if given. */
export function isKubeError(error: unknown, kind?: KubeErrorKind): error is KubeError {
  return error instanceof KubeError && (kind === undefined || error.kind === kind);
}
