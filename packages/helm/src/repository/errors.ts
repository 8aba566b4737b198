import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { helmFailure, type IndexProblem } from '../failures.ts';

/** Returns the error for a repository file that logtool cannot read or write. */
export function fileError(verb: 'read' | 'write', path: string, cause: unknown): CodedError {
  return verb === 'read'
    ? helmFailure('repository-file-not-readable', { path, why: whyOf(cause) }, { cause })
    : helmFailure('repository-file-not-writable', { path, why: reasonOf(cause) }, { cause });
}

/** Returns the error for a repositories.yaml that Helm did not write. logtool does not change it. */
export function invalidFile(path: string, why: string, cause?: unknown): CodedError {
  return helmFailure('repositories-file-invalid', { file: path, why }, { cause });
}

/** Returns the error for a response that is not an index of charts. */
export function invalidIndex(source: string, problem: IndexProblem, cause?: unknown): CodedError {
  return helmFailure('repository-index-invalid', { source, ...problem }, { cause });
}

/** Returns the error for a web page instead of an index, as captive portals and login pages send with status 200. */
export function webPage(source: string): CodedError {
  return helmFailure('repository-web-page', { source });
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
