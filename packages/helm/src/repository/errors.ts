import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { helmFailure } from '../failures.ts';

/** A file of the repositories that cannot be read or written. */
export function fileError(verb: 'read' | 'write', path: string, cause: unknown): LogtoolError {
  return new LogtoolError({
    code: `repository-file-not-${verb === 'read' ? 'readable' : 'writable'}`,
    what: `cannot ${verb} ${path}`,
    why: reasonOf(cause),
    next: 'check the path and its permissions; HELM_REPOSITORY_CONFIG and HELM_REPOSITORY_CACHE name others',
    cause,
  });
}

/** repositories.yaml is there, and is not what Helm writes. It is left as it is. */
export function invalidFile(path: string, why: string, cause?: unknown): CodedError {
  return helmFailure('repositories-file-invalid', { file: path, why }, { cause });
}

/** What came from an address is no index of charts. */
export function invalidIndex(source: string, why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'repository-index-invalid',
    what: `the index of ${source} cannot be used`,
    why,
    next: 'check that the address is that of a chart repository; if it is, report it to the maintainer of the repository',
    cause,
  });
}

/** A web page came in place of an index, as captive portals and pages to sign in send it with the status 200. */
export function webPage(source: string): LogtoolError {
  return new LogtoolError({
    code: 'repository-web-page',
    what: `the index of ${source} cannot be used`,
    why: 'it is a web page, such as one to sign in',
    next: 'check the address, and whether the network wants you to sign in with a browser first',
  });
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
