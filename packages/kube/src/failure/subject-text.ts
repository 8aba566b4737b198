import type { RequestSubject } from '../errors.ts';

/** `the log of pod "web-1" in namespace "shop"`, `pods in all namespaces`: what a request was about. */
export function subjectText(request: RequestSubject | undefined): string {
  if (request === undefined) return 'the request';
  if (request.resource.startsWith('/')) return `discovery (${request.resource})`;
  const { resource, subresource, namespace, name } = request;
  const object = name === undefined ? resource : `${resource} "${name}"`;
  const part = subresource === undefined ? object : `the ${subresource} of ${object}`;
  return namespace === undefined ? part : `${part} in namespace "${namespace}"`;
}

/** A word for a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
