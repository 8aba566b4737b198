import type { ResourceType } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';

/** Where in the API: without a name the collection, without a namespace all of them. */
export interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Path of a collection, an object or a subresource, escaped.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function resourcePath(
  type: ResourceType,
  place: Place,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const parts = type.group === '' ? ['api', type.version] : ['apis', type.group, type.version];
  if (type.namespaced && place.namespace !== undefined) parts.push('namespaces', place.namespace);
  parts.push(type.plural);
  if (place.name !== undefined) parts.push(place.name);
  if (place.subresource !== undefined) parts.push(place.subresource);
  return `/${parts.map(segment).join('/')}${queryText(query)}`;
}

/** `?name=value&...`, escaped; empty when nothing is set. */
export function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.append(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** A URL normalises `.` and `..` away, so that a hostile name would ask for another object: refused here. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new KubeError({ kind: 'bad-request', message: `"${text}" cannot be part of a request path` });
  }
  // Half a surrogate pair, which no name has, has no encoding.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** The request in the words of access control, for messages. */
export function subjectOf(verb: string, type: ResourceType, place: Place): RequestSubject {
  return {
    verb,
    resource: type.group === '' ? type.plural : `${type.plural}.${type.group}`,
    subresource: place.subresource,
    namespace: type.namespaced ? place.namespace : undefined,
    name: place.name,
  };
}
