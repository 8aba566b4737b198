import { createHash } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import type { RemoteGroup } from '../aggregation/remote-discovery.ts';
import { acceptClauses } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import { grouped } from './grouped.ts';
import { type ApiResource, apiVersionOf, resourcesOf } from './resources.ts';

const SUBRESOURCE_KINDS: Readonly<Record<string, readonly [string, string, string]>> = {
  scale: ['autoscaling', 'v1', 'Scale'],
  eviction: ['policy', 'v1', 'Eviction'],
  token: ['authentication.k8s.io', 'v1', 'TokenRequest'],
};
/** Kinds in the resource's own group. */
const OWN_KINDS: Readonly<Record<string, string>> = {
  'nodes/proxy': 'NodeProxyOptions',
  'services/proxy': 'ServiceProxyOptions',
};
const SUBRESOURCE_VERBS: Readonly<Record<string, readonly string[]>> = {
  log: ['get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
  eviction: ['create'],
  token: ['create'],
};
const AGGREGATED = ['v2', 'v2beta1'];

const JSON_FORMAT = { mediaType: 'json', as: undefined, pretty: false } as const;

/** Handles discovery, aggregated and legacy. Returns undefined if the path is not one of discovery's. */
export async function discoveryReply(
  store: Store,
  request: ApiRequest,
  remote: readonly RemoteGroup[] = [],
): Promise<Reply | undefined> {
  const [root, ...rest] = request.path.split('/').filter((segment) => segment !== '');
  const types = resourcesOf(store);
  if (root !== 'api' && root !== 'apis') return undefined;
  const core = root === 'api';
  if (rest.length === 0) return rootReply(request, types, core ? undefined : remote);
  const [group = '', version] = core ? ['', ...rest] : rest;
  if (rest.length > (core ? 1 : 2)) return undefined;
  if (version === undefined) return groupReply(request, group, types, remote);
  const mine = types.filter((type) => type.group === group && type.version === version);
  if (mine.length === 0 || (!core && group === '')) return undefined;
  return objectReply(request, JSON_FORMAT, resourceList(mine));
}

/** @param remote undefined: the core group */
function rootReply(
  request: ApiRequest,
  types: readonly ApiResource[],
  remote: readonly RemoteGroup[] | undefined,
): Reply | Promise<Reply> {
  const version = aggregatedVersion(request);
  if (version !== undefined) return aggregatedReply(request, types, remote, version);
  const list = remote === undefined ? coreVersions(request) : groupList(types, remote);
  return objectReply(request, JSON_FORMAT, list);
}

function groupReply(
  request: ApiRequest,
  group: string,
  types: readonly ApiResource[],
  remote: readonly RemoteGroup[],
): Promise<Reply> | undefined {
  const entry = servedGroups(types, remote).find(({ name }) => name === group);
  if (entry === undefined) return undefined;
  return objectReply(request, JSON_FORMAT, { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(entry) });
}

function coreVersions(request: ApiRequest) {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [
      { clientCIDR: '0.0.0.0/0', serverAddress: request.headers.host ?? request.headers[':authority'] ?? '' },
    ],
  };
}

interface ServedGroup {
  readonly name: string;
  readonly priority: number;
  readonly versions: readonly ServedVersion[];
}

interface ServedVersion {
  readonly name: string;
  /** Entries of aggregated discovery; undefined: unknown at present. */
  readonly resources: readonly unknown[] | undefined;
}

/** Groups of definitions come after those of the server itself (apiextensions: crdregistration_controller). */
const CUSTOM_PRIORITY = 1000;

/** Returns the groups in the order of their priorities; one of a version that another server answers for is its own. */
function servedGroups(types: readonly ApiResource[], remote: readonly RemoteGroup[]): readonly ServedGroup[] {
  const own = [...grouped(types, ({ group }) => group)]
    .filter(([name]) => name !== '')
    .map(([name, group]): ServedGroup => {
      const priority = group[0]?.custom === true ? CUSTOM_PRIORITY : Number.POSITIVE_INFINITY;
      return { name, priority, versions: versionsOf(group) };
    });
  const groups = new Map(own.map((group) => [group.name, group]));
  for (const group of remote) {
    const before = groups.get(group.name);
    const others = before?.versions.filter(({ name }) => !group.versions.some((one) => one.name === name));
    const priority = Math.max(group.priority, before?.priority ?? 0);
    groups.set(group.name, { ...group, priority, versions: [...(others ?? []), ...group.versions] });
  }
  return [...groups.values()].sort((a, b) => (a.priority === b.priority ? 0 : b.priority - a.priority));
}

function versionsOf(types: readonly ApiResource[]): readonly ServedVersion[] {
  return [...grouped(types, ({ version }) => version)].map(([name, own]) => ({
    name,
    resources: own.map(aggregatedEntry),
  }));
}

function groupEntry({ name, versions }: ServedGroup) {
  const entries = versions.map((version) => ({
    groupVersion: `${name}/${version.name}`,
    version: version.name,
  }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function groupList(types: readonly ApiResource[], remote: readonly RemoteGroup[]) {
  const groups = servedGroups(types, remote).map(groupEntry);
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

function resourceList(types: readonly ApiResource[]) {
  const [first] = types;
  if (first === undefined) throw new Error('a resource list of nothing');
  const resources = types.flatMap((type) => [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: type.verbs,
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
      ...(type.verbs.length === 1 ? {} : { storageVersionHash: storageHash(type) }),
    },
    ...type.subresources.map((subresource) => {
      const foreign = SUBRESOURCE_KINDS[subresource];
      return {
        name: `${type.plural}/${subresource}`,
        singularName: '',
        namespaced: type.namespaced,
        ...(foreign === undefined ? {} : { group: foreign[0], version: foreign[1] }),
        kind: foreign?.[2] ?? OWN_KINDS[`${type.plural}/${subresource}`] ?? type.kind,
        verbs: SUBRESOURCE_VERBS[subresource] ?? ['get', 'patch', 'update'],
      };
    }),
  ]);
  const head =
    first.group === '' ? { kind: 'APIResourceList' } : { kind: 'APIResourceList', apiVersion: 'v1' };
  return { ...head, groupVersion: apiVersionOf(first), resources };
}

/** Returns the first eight bytes of SHA-256 over group/version/kind, as k8s.io/apiserver computes it. */
function storageHash(type: ApiResource): string {
  const text = `${type.group}/${type.version}/${type.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

function aggregatedVersion(request: ApiRequest): string | undefined {
  for (const { parameters } of acceptClauses(request.headers.accept)) {
    if (parameters.g !== 'apidiscovery.k8s.io' || parameters.as !== 'APIGroupDiscoveryList') continue;
    if (AGGREGATED.includes(parameters.v ?? '')) return parameters.v;
  }
  return undefined;
}

/** @param remote undefined: the core group */
function aggregatedReply(
  request: ApiRequest,
  types: readonly ApiResource[],
  remote: readonly RemoteGroup[] | undefined,
  version: string,
): Reply {
  const groups =
    remote === undefined
      ? [{ name: undefined, versions: versionsOf(types.filter(({ group }) => group === '')) }]
      : servedGroups(types, remote);
  const body = JSON.stringify({
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group.name },
      versions: group.versions.map(({ name, resources }) => ({
        version: name,
        resources,
        freshness: resources === undefined ? 'Stale' : 'Current',
      })),
    })),
  });
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const headers = { 'cache-control': 'public', etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: undefined };
  const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  return { status: 200, headers: { ...headers, 'content-type': type }, body: `${body}\n` };
}

function aggregatedEntry(type: ApiResource) {
  // A real server leaves group and version empty if they equal the list's.
  const own = { group: '', version: '', kind: type.kind };
  return {
    resource: type.plural,
    responseKind: own,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.subresources.length === 0
      ? {}
      : {
          subresources: type.subresources.map((subresource) => {
            const foreign = SUBRESOURCE_KINDS[subresource];
            return {
              subresource,
              responseKind:
                foreign === undefined
                  ? { ...own, kind: OWN_KINDS[`${type.plural}/${subresource}`] ?? own.kind }
                  : { group: foreign[0], version: foreign[1], kind: foreign[2] },
              verbs: SUBRESOURCE_VERBS[subresource] ?? ['get', 'patch', 'update'],
            };
          }),
        }),
  };
}
