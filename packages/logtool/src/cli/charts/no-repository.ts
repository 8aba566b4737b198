import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmWorded } from '../messages/helm.ts';

/**
 * Whether no chart repository answered: there is no network, a web page asks to sign in to it, or nothing is
 * published at the address. A server that wants a password does answer, and so does one with a broken index.
 */
export function hasNoRepository(error: unknown): error is CodedError {
  if (!(error instanceof CodedError)) return false;
  if (error.code === 'repository-unreachable' || error.code === 'repository-web-page') return true;
  if (error.code !== 'repository-answer') return false;
  const { status } = error.data as HelmFailures['repository-answer'];
  return status !== 401 && status !== 403;
}

/** Describes what the repository's address did instead, to follow the address in a sentence. */
export function answerOf(error: CodedError): string {
  const { code, what, why } = helmWorded(error);
  return code === 'repository-web-page'
    ? 'answers with a web page, such as one to sign in'
    : `does not answer (${why ?? what})`;
}
