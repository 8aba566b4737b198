import type { KubeErrorLike } from '@logtool/kube/src/client.ts';
import { isKubeError, requestedWaitMs } from '@logtool/kube/src/errors.ts';
import { BodyError } from './line-parser.ts';
import type { RunAddress } from './open-log.ts';

/** What a failed read of one container's log means for it. */
type SourceFailure =
  /** Passes by itself. */
  | { readonly kind: 'retry'; readonly afterMs: number | undefined }
  /** 401 and 403: worth a few more tries (a token being renewed, a binding on its way), not more. */
  | { readonly kind: 'denied' }
  /** 404: the pod is gone, or its kubelet just started (test/recorded/pods-log/kubelet-just-up.json). */
  | { readonly kind: 'missing' }
  | { readonly kind: 'no-previous' }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'fatal' };

const WAITING = /^container "[^"]*" in pod "[^"]*" is (?:waiting to start: (.*)|terminated|not available)$/s;
const TIMESTAMP_BEGINS = /^\d{1,4}(?:$|-\d{0,2}(?:$|-))/;
const NO_PREVIOUS = /^previous terminated container "[^"]*" in pod "[^"]*" not found$/;

/** A stream that was ended on this side, or is no more worth a word than that. */
export class StreamAbort extends Error {}

/** What is answered is the log of another pod, which has the name now. */
export class PodReplaced extends StreamAbort {}

/** The reader may not read this log any more; the cluster itself has not ended the answer. */
export class AccessWithdrawn extends StreamAbort {}

/** A timestamp that is cut itself, at the end of a body, shows that the body was. */
export function isCutTimestamp(error: unknown): boolean {
  return error instanceof BodyError && TIMESTAMP_BEGINS.test(error.text);
}

/** Sorts an error of client.log or of the body. The texts are those of test/recorded/pods-log. */
export function classifyFailure(error: unknown): SourceFailure {
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
    default:
      return { kind: 'retry', afterMs: requestedWaitMs(error) };
  }
}

/** The server, or its node, is away: the last answer may have ended with it. */
export function isOutage(error: unknown): boolean {
  return isKubeError(error, 'connection') || isKubeError(error, 'server');
}

/**
 * A run before the present one that the node may have removed. It is given few tries: the present run is next, and is
 * removed as well when another one has ended.
 */
export function mayBeRemoved(error: unknown, run: RunAddress): error is BodyError {
  return run.previous && error instanceof BodyError && !error.isCutTimestamp;
}

/** How long the server asked to wait, ms; 0 if it did not. */
export function retryAfterMs(error: unknown): number {
  const failure = classifyFailure(error);
  return failure.kind === 'retry' ? (failure.afterMs ?? 0) : 0;
}

function classifyBadRequest(message: string): SourceFailure {
  if (NO_PREVIOUS.test(message)) return { kind: 'no-previous' };
  const waiting = WAITING.exec(message);
  return waiting === null ? { kind: 'fatal' } : { kind: 'waiting', reason: waiting[1] ?? message };
}

function isKubeErrorLike(error: unknown): error is KubeErrorLike {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string';
}
