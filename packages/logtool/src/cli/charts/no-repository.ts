import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { worded } from '../messages/worded.ts';

/**
 * Whether no chart repository answered: there is no network, a web page to sign in to it, or nothing is published at the
 * address. A server that wants a password does answer, and so does one with a broken index.
 */
export function hasNoRepository(error: unknown): error is CodedError {
  if (!(error instanceof CodedError)) return false;
  if (error.code === 'repository-unreachable' || error.code === 'repository-web-page') return true;
  return error.code === 'repository-answer' && !/answered 40[13]\b/.test(worded(error).why ?? '');
}

/** What the address of the repository did instead, to be put after it. */
export function answerOf(error: CodedError): string {
  const { code, what, why } = worded(error);
  return code === 'repository-web-page'
    ? 'answers with a web page, such as one to sign in'
    : `does not answer (${why ?? what})`;
}
