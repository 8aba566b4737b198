import { LogtoolError } from '@logtool/kube/src/values/errors.ts';

/**
 * Whether no chart repository answered: there is no network, a web page to sign in to it, or nothing is published at the
 * address. A server that wants a password does answer, and so does one with a broken index.
 */
export function hasNoRepository(error: unknown): error is LogtoolError {
  if (!(error instanceof LogtoolError)) return false;
  if (error.code === 'repository-unreachable' || error.code === 'repository-web-page') return true;
  return error.code === 'repository-answer' && !/answered 40[13]\b/.test(error.why ?? '');
}

/** What the address of the repository did instead, to be put after it. */
export function answerOf({ code, what, why }: LogtoolError): string {
  return code === 'repository-web-page'
    ? 'answers with a web page, such as one to sign in'
    : `does not answer (${why ?? what})`;
}
