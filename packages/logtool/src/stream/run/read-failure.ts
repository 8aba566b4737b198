import type { KubeErrorLike } from '@logtool/kube/src/client.ts';
import { isKubeError, requestedWaitMs } from '@logtool/kube/src/errors.ts';
import { BodyError } from './line-parser.ts';
import type { RunAddress } from './open-log.ts';

/** The consequence of a failed read of one container's log. */
type ReadFailure =
  /** A temporary failure. */
  | { readonly kind: 'retry'; readonly afterMs: number | undefined }
  /** 401 and 403: worth only a few more attempts (a token being renewed, a binding in progress). */
  | { readonly kind: 'denied' }
  /** 404: the pod is gone, or its kubelet just started (test/recorded/pods-log/kubelet-just-up.json). */
  | { readonly kind: 'missing' }
  | { readonly kind: 'no-previous' }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'fatal' };

const WAITING = /^container "[^"]*" in pod "[^"]*" is (?:waiting to start: (.*)|terminated|not available)$/s;
const NO_PREVIOUS = /^previous terminated container "[^"]*" in pod "[^"]*" not found$/;

/** A stream that logtool ended, or whose end is equally unimportant to the reader. */
export class StreamAbort extends Error {}

/** The answer is the log of another pod, which has the name now. */
export class PodReplaced extends StreamAbort {}

/** The reader lost the permission for this log; the cluster itself has not ended the answer. */
export class AccessWithdrawn extends StreamAbort {}

/** Classifies an error of client.log or of the body. The texts are those of test/recorded/pods-log. */
export function classifyFailure(error: unknown): ReadFailure {
  if (error instanceof BodyError) return { kind: 'retry', afterMs: undefined };
  if (!isKubeErrorLike(error)) return { kind: 'fatal' };
  switch (error.kind) {
    case 'unauthorized':
    case 'forbidden':
      return { kind: 'denied' };
    case 'not-found':
      return { kind: 'missing' };
    case 'tls':
    case 'credentials':
      return { kind: 'fatal' };
    case 'bad-request':
      return classifyBadRequest(error.message);
    case 'conflict':
    case 'connection':
    case 'gone':
    case 'http':
    case 'protocol':
    case 'server':
    case 'too-many-requests':
      return { kind: 'retry', afterMs: requestedWaitMs(error) };
  }
}

/** Whether the server, or its node, is unreachable: the last answer may have ended for that reason. */
export function isOutage(error: unknown): boolean {
  return isKubeError(error, 'connection') || isKubeError(error, 'server');
}

/**
 * Whether the node may have removed a run before the current one. Such a run gets few attempts: the current run is
 * next, and is removed as well once another one has ended.
 */
export function mayBeRemoved(error: unknown, run: RunAddress): error is BodyError {
  return run.previous && error instanceof BodyError && !error.isCutTimestamp;
}

/** Returns how long the server asked to wait, ms; 0 if it did not. */
export function retryAfterMs(error: unknown): number {
  const failure = classifyFailure(error);
  return failure.kind === 'retry' ? (failure.afterMs ?? 0) : 0;
}

function classifyBadRequest(message: string): ReadFailure {
  if (NO_PREVIOUS.test(message)) return { kind: 'no-previous' };
  const waiting = WAITING.exec(message);
  return waiting === null ? { kind: 'fatal' } : { kind: 'waiting', reason: waiting[1] ?? message };
}

function isKubeErrorLike(error: unknown): error is KubeErrorLike {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string';
}
