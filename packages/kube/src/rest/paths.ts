import type { ResourceType } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';

/** An address in the API: without a name, the collection; without a namespace, all namespaces. */
export interface ObjectAddress {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the escaped path of a collection, an object or a subresource.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function resourcePath(
  type: ResourceType,
  address: ObjectAddress,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const segments = type.group === '' ? ['api', type.version] : ['apis', type.group, type.version];
  if (type.namespaced && address.namespace !== undefined) segments.push('namespaces', address.namespace);
  segments.push(type.plural);
  if (address.name !== undefined) segments.push(address.name);
  if (address.subresource !== undefined) segments.push(address.subresource);
  return `/${joinSegments(segments)}${queryText(query)}`;
}

/** Returns `?name=value&...`, escaped; '' if nothing is set. */
export function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.append(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns names of folders as an escaped path. */
export function joinSegments(names: readonly string[]): string {
  return names.map(segment).join('/');
}

/** Escapes a segment. Rejects `.` and `..`: a URL removes them, so a hostile name would address another object. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new KubeError({ kind: 'bad-request', problem: { code: 'bad-path-segment', data: { text } } });
  }
  // An unpaired surrogate, which no name contains, cannot be encoded.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Describes the request in RBAC terms, for messages. */
export function subjectOf(verb: string, type: ResourceType, address: ObjectAddress): RequestSubject {
  return {
    verb,
    resource: type.group === '' ? type.plural : `${type.plural}.${type.group}`,
    subresource: address.subresource,
    namespace: type.namespaced ? address.namespace : undefined,
    name: address.name,
  };
}
