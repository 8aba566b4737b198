import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { helmFailure, type IndexProblem } from '../failures.ts';

/** A file of the repositories that cannot be read or written. */
export function fileError(verb: 'read' | 'write', path: string, cause: unknown): CodedError {
  return verb === 'read'
    ? helmFailure('repository-file-not-readable', { path, why: whyOf(cause) }, { cause })
    : helmFailure('repository-file-not-writable', { path, why: reasonOf(cause) }, { cause });
}

/** repositories.yaml exists, but Helm did not write it. It is not changed. */
export function invalidFile(path: string, why: string, cause?: unknown): CodedError {
  return helmFailure('repositories-file-invalid', { file: path, why }, { cause });
}

/** What came from an address is no index of charts. */
export function invalidIndex(source: string, problem: IndexProblem, cause?: unknown): CodedError {
  return helmFailure('repository-index-invalid', { source, ...problem }, { cause });
}

/** A web page came in place of an index, as captive portals and pages to sign in send it with the status 200. */
export function webPage(source: string): CodedError {
  return helmFailure('repository-web-page', { source });
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
