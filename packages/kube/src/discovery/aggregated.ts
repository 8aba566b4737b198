import type { ResourceType } from '../client.ts';
import { asRecord } from '../values/as-record.ts';

/** Kubernetes 1.30 added version v2, 1.26 added v2beta1; older servers return the legacy lists. */
export const AGGREGATED_ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Reads an APIGroupDiscoveryList (both versions have these fields); undefined for any other document. */
export function readAggregated(document: unknown): readonly ResourceType[] | undefined {
  const list = asRecord(document);
  if (list?.kind !== 'APIGroupDiscoveryList') return undefined;
  return records(list.items).flatMap((item) => {
    const group = text(asRecord(item.metadata)?.name);
    return records(item.versions).flatMap((entry) => {
      const version = text(entry.version);
      return records(entry.resources).flatMap((resource) => readResource(group, version, resource));
    });
  });
}

function readResource(group: string, version: string, resource: Record<string, unknown>): ResourceType[] {
  const plural = text(resource.resource);
  const kind = text(asRecord(resource.responseKind)?.kind);
  // A resource without a kind has only subresources.
  if (plural === '' || kind === '' || version === '') return [];
  return [
    {
      group,
      version,
      plural,
      singular: text(resource.singularResource) || kind.toLowerCase(),
      kind,
      shortNames: texts(resource.shortNames),
      namespaced: resource.scope === 'Namespaced',
      verbs: texts(resource.verbs),
    },
  ];
}

/** Returns the objects in what should be a list of objects. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(asRecord).filter((entry) => entry !== undefined) : [];
}

/** Returns the text, or an empty one for any other value. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the texts in what should be a list of texts. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
