import type { Store } from '../../store/store.ts';
import { grouped } from '../discovery/grouped.ts';
import { array, at, type Fields, fields, text } from '../table/read.ts';
import { type ApiService, remoteApiServices } from './api-service.ts';
import { askForItself } from './ask-itself.ts';
import { type ProxyContext, targetOf } from './proxy.ts';

/** A group that other servers answer for. */
export interface RemoteGroup {
  readonly name: string;
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly RemoteVersion[];
}

export interface RemoteVersion {
  readonly name: string;
  /** Entries of aggregated discovery; undefined: unknown at present. */
  readonly resources: readonly unknown[] | undefined;
}

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

/** The resources of extension API servers, as far as they are known (kube-aggregator: handler_discovery). */
export class RemoteDiscovery {
  readonly #resources = new Map<string, readonly unknown[]>();
  readonly #staleGroups: Set<string>;

  /** @param staleGroups keeps `GROUP/VERSION` of each group whose resources are unknown at present */
  constructor(staleGroups: Set<string>) {
    this.#staleGroups = staleGroups;
  }

  groups(store: Store): readonly RemoteGroup[] {
    const byGroup = grouped(remoteApiServices(store), ({ group }) => group);
    return [...byGroup].map(([name, services]) => ({
      name,
      priority: Math.max(...services.map(({ groupPriority }) => groupPriority)),
      versions: services
        .toSorted((a, b) => b.versionPriority - a.versionPriority)
        .map((service) => ({ name: service.version, resources: this.#resources.get(service.name) })),
    }));
  }

  /** Asks the server of an APIService; without an answer, its resources are unknown. */
  async refresh(context: ProxyContext, apiService: ApiService, signal: AbortSignal): Promise<void> {
    const resources = apiService.available ? await fetchResources(context, apiService, signal) : undefined;
    if (signal.aborted) return;
    const groupVersion = `${apiService.group}/${apiService.version}`;
    if (resources === undefined) {
      this.#resources.delete(apiService.name);
      this.#staleGroups.add(groupVersion);
    } else {
      this.#resources.set(apiService.name, resources);
      this.#staleGroups.delete(groupVersion);
    }
  }

  /** Forgets an APIService that is gone. */
  forget({ name, group, version }: ApiService): void {
    this.#resources.delete(name);
    this.#staleGroups.delete(`${group}/${version}`);
  }
}

/** Undefined if no server answers in order. */
async function fetchResources(
  context: ProxyContext,
  apiService: ApiService,
  signal: AbortSignal,
): Promise<readonly unknown[] | undefined> {
  const { group, version } = apiService;
  const target = targetOf(context.store, apiService, 0);
  if (target === undefined) return undefined;
  try {
    const own = await askForItself(context, target, '/apis', signal, AGGREGATED);
    if (own.status === 200 && own.contentType.includes('as=APIGroupDiscoveryList')) {
      const listed = aggregatedResources(JSON.parse(own.body.toString()), group, version);
      if (listed !== undefined) return listed;
    }
    const legacy = await askForItself(context, target, `/apis/${group}/${version}`, signal);
    return legacy.status === 200 ? legacyResources(JSON.parse(legacy.body.toString())) : undefined;
  } catch {
    // Whatever a server answers in its own way is no discovery: its resources stay unknown.
    return undefined;
  }
}

function aggregatedResources(document: unknown, group: string, version: string) {
  const found = array(at(document, 'items')).find((item) => at(item, 'metadata', 'name') === group);
  const entry = array(at(found, 'versions')).find((candidate) => candidate.version === version);
  return entry === undefined ? undefined : array(entry.resources);
}

/** Makes entries of aggregated discovery from an APIResourceList. */
function legacyResources(document: unknown): readonly unknown[] {
  const listed = array(at(document, 'resources'));
  return listed
    .filter((resource) => !text(resource.name).includes('/'))
    .map((resource) => {
      const prefix = `${text(resource.name)}/`;
      const own = listed.filter(({ name }) => text(name).startsWith(prefix));
      return legacyEntry(resource, own, prefix);
    });
}

function legacyEntry(resource: Fields, subresources: readonly Fields[], prefix: string) {
  return {
    resource: resource.name,
    responseKind: responseKind(resource),
    scope: resource.namespaced === true ? 'Namespaced' : 'Cluster',
    singularResource: resource.singularName,
    verbs: resource.verbs,
    ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories === undefined ? {} : { categories: resource.categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((subresource) => ({
            subresource: text(subresource.name).slice(prefix.length),
            responseKind: responseKind(subresource),
            verbs: subresource.verbs,
          })),
        }),
  };
}

/** Group and version stay empty if they are those of the list. */
function responseKind(resource: unknown) {
  const { group = '', version = '', kind } = fields(resource);
  return { group, version, kind };
}
