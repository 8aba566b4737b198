import { LOG_API } from '../../domain/window.ts';

/** The documents by which clients find out what the API of logtool serves. They depend on nothing but this program. */

export const GROUP = LOG_API.group;
export const VERSION = LOG_API.version;
export const GROUP_VERSION = `${GROUP}/${VERSION}`;

interface Resource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources: readonly Subresource[];
}

interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Without verbs of its own: core has the pods, and clients that know a plural take that of core first. */
const LOGGED_PODS: Resource = {
  name: 'pods',
  singularName: 'pod',
  kind: 'PodLogs',
  verbs: [],
  subresources: [{ name: 'log', kind: 'PodLogs', verbs: ['get'] }],
};
const CONTAINER_LOGS: Resource = {
  name: 'containerlogs',
  singularName: 'containerlog',
  kind: 'ContainerLog',
  verbs: ['get', 'list', 'watch'],
  shortNames: ['clog'],
  categories: ['logtool'],
  subresources: [],
};
const RESOURCES = [CONTAINER_LOGS, LOGGED_PODS];

/** The old discovery: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#unaggregated-discovery */
export function resourceList() {
  const resources = RESOURCES.flatMap(({ subresources, ...resource }) => [
    { ...resource, namespaced: true },
    ...subresources.map(({ name, kind, verbs }) => ({
      name: `${resource.name}/${name}`,
      singularName: '',
      namespaced: true,
      kind,
      verbs,
    })),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: GROUP_VERSION, resources };
}

export function apiGroup() {
  const version = { groupVersion: GROUP_VERSION, version: VERSION };
  return { kind: 'APIGroup', apiVersion: 'v1', name: GROUP, versions: [version], preferredVersion: version };
}

export function groupList() {
  const { kind: _, apiVersion: __, ...group } = apiGroup();
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: [group] };
}

/** The versions of the aggregated discovery that API servers ask for; both have the same fields. */
const DISCOVERY_VERSIONS = ['v2', 'v2beta1'] as const;
type DiscoveryVersion = (typeof DISCOVERY_VERSIONS)[number];

/** Returns which version of the aggregated discovery a request prefers; undefined: the old one. */
export function wantedDiscovery(accept: string | undefined): DiscoveryVersion | undefined {
  for (const type of (accept ?? '').split(',')) {
    const parameters = type.split(';').map((parameter) => parameter.trim().toLowerCase());
    if (!parameters.includes('as=apigroupdiscoverylist') || !parameters.includes('g=apidiscovery.k8s.io')) {
      continue;
    }
    const version = DISCOVERY_VERSIONS.find((known) => parameters.includes(`v=${known}`));
    if (version !== undefined) return version;
  }
  return undefined;
}

export function discoveryType(version: DiscoveryVersion): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery */
export function groupDiscovery(version: DiscoveryVersion) {
  const kindOf = (kind: string) => ({ group: GROUP, version: VERSION, kind });
  const resources = RESOURCES.map(({ name, singularName, kind, subresources, ...rest }) => ({
    ...rest,
    resource: name,
    responseKind: kindOf(kind),
    scope: 'Namespaced',
    singularResource: singularName,
    subresources: subresources.map((subresource) => ({
      subresource: subresource.name,
      responseKind: kindOf(subresource.kind),
      verbs: subresource.verbs,
    })),
  }));
  const versions = [{ version: VERSION, resources, freshness: 'Current' }];
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: [{ metadata: { name: GROUP }, versions }],
  };
}
