import { createHash } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import { acceptClauses } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import { type ApiResource, apiVersionOf, resourcesOf } from './resources.ts';

const SUBRESOURCE_KINDS: Readonly<Record<string, readonly [string, string, string]>> = {
  scale: ['autoscaling', 'v1', 'Scale'],
  eviction: ['policy', 'v1', 'Eviction'],
  token: ['authentication.k8s.io', 'v1', 'TokenRequest'],
};
/** Kinds in the resource's own group. */
const OWN_KINDS: Readonly<Record<string, string>> = { proxy: 'NodeProxyOptions' };
const SUBRESOURCE_VERBS: Readonly<Record<string, readonly string[]>> = {
  log: ['get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
  eviction: ['create'],
  token: ['create'],
};
const AGGREGATED = ['v2', 'v2beta1'];

/** Handles discovery, aggregated and legacy. Returns undefined if the path is not one of discovery's. */
export async function discoveryReply(store: Store, request: ApiRequest): Promise<Reply | undefined> {
  const segments = request.path.split('/').filter((segment) => segment !== '');
  const types = resourcesOf(store);
  const core = segments[0] === 'api';
  if (!core && segments[0] !== 'apis') return undefined;
  const format = { mediaType: 'json', as: undefined, pretty: false } as const;
  if (segments.length === 1) {
    const version = aggregatedVersion(request);
    if (version !== undefined) return aggregatedReply(request, types, core, version);
    return objectReply(request, format, core ? coreVersions(request) : groupList(types));
  }
  if (core) {
    const mine = types.filter((type) => type.group === '' && type.version === segments[1]);
    if (segments.length > 2 || mine.length === 0) return undefined;
    return objectReply(request, format, resourceList(mine));
  }
  const group = types.filter((type) => type.group !== '' && type.group === segments[1]);
  if (group.length === 0) return undefined;
  if (segments.length === 2)
    return objectReply(request, format, { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) });
  const mine = group.filter((type) => type.version === segments[2]);
  if (segments.length > 3 || mine.length === 0) return undefined;
  return objectReply(request, format, resourceList(mine));
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

function groupsOf(types: readonly ApiResource[]): ReadonlyMap<string, readonly ApiResource[]> {
  const groups = new Map<string, ApiResource[]>();
  for (const type of types) {
    if (type.group === '') continue;
    const list = groups.get(type.group) ?? [];
    list.push(type);
    groups.set(type.group, list);
  }
  return groups;
}

function groupEntry(types: readonly ApiResource[]) {
  const versions = [...new Set(types.map((type) => type.version))].map((version) => ({
    groupVersion: `${types[0]?.group}/${version}`,
    version,
  }));
  return { name: types[0]?.group, versions, preferredVersion: versions[0] };
}

function groupList(types: readonly ApiResource[]) {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: [...groupsOf(types).values()].map(groupEntry) };
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
        kind: foreign?.[2] ?? OWN_KINDS[subresource] ?? type.kind,
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

function aggregatedReply(
  request: ApiRequest,
  types: readonly ApiResource[],
  core: boolean,
  version: string,
): Reply {
  const groups = core ? [types.filter((type) => type.group === '')] : [...groupsOf(types).values()];
  const body = JSON.stringify({
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: core ? {} : { name: group[0]?.group },
      versions: [...new Set(group.map((type) => type.version))].map((name) => ({
        version: name,
        resources: group.filter((type) => type.version === name).map(aggregatedEntry),
        freshness: 'Current',
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
                  ? { ...own, kind: OWN_KINDS[subresource] ?? own.kind }
                  : { group: foreign[0], version: foreign[1], kind: foreign[2] },
              verbs: SUBRESOURCE_VERBS[subresource] ?? ['get', 'patch', 'update'],
            };
          }),
        }),
  };
}
