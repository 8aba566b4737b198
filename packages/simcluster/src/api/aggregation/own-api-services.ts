import type { Store } from '../../store/store.ts';
import { apiVersionOf, resourcesOf } from '../discovery/resources.ts';
import { API_SERVICES } from './api-service.ts';

/** The priorities of groups (kubernetes: pkg/controlplane/apiserver/apis.go), from which discovery has its order. */
const GROUP_PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const DEFAULT_PRIORITY = 9900;
const VERSION_PRIORITIES: Readonly<Record<string, number>> = { v1: 1, 'autoscaling/v2': 30 };
const DEFAULT_VERSION_PRIORITY = 15;
const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
/** The group of APIServices themselves has none. */
const OWN_GROUP = 'apiregistration.k8s.io';

/** Returns the condition of an APIService that the API server itself answers for. */
export function locallyAvailable(lastTransitionTime: string) {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

/** Creates the APIServices of the groups that the API server itself answers for, if the store lacks them. */
export function bootstrapApiServices(store: Store): void {
  const own = resourcesOf(store).filter(({ custom, group }) => !custom && group !== OWN_GROUP);
  for (const { group, version } of own) {
    const priorities = {
      groupPriorityMinimum: GROUP_PRIORITIES[group] ?? DEFAULT_PRIORITY,
      versionPriority: VERSION_PRIORITIES[apiVersionOf({ group, version })] ?? DEFAULT_VERSION_PRIORITY,
    };
    createOwn(store, { group, version, ...priorities }, 'onstart');
  }
}

/** Keeps an APIService for each group and version of a definition (apiextensions: crdregistration_controller). */
export function keepCustomApiServices(store: Store): void {
  const keep = () => {
    const types = resourcesOf(store);
    const own = new Set(types.filter(({ custom }) => !custom).map(({ group }) => group));
    const custom = types.filter((type) => type.custom && !own.has(type.group));
    const names = new Set(custom.map(nameOf));
    for (const { metadata } of store.list(API_SERVICES)) {
      if (metadata.labels?.[MANAGED] === 'true' && !names.has(metadata.name))
        store.remove(API_SERVICES, undefined, metadata.name);
    }
    for (const { group, version } of custom)
      createOwn(store, { group, version, groupPriorityMinimum: 1000, versionPriority: 100 }, 'true');
  };
  store.subscribe(DEFINITIONS, keep);
  keep();
}

interface OwnSpec {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

function nameOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${version}.${group}`;
}

/** Does nothing if there is one, also of somebody else. */
function createOwn(store: Store, spec: OwnSpec, managed: 'onstart' | 'true'): void {
  const name = nameOf(spec);
  if (store.get(API_SERVICES, undefined, name) !== undefined) return;
  const created = store.create(API_SERVICES, {
    apiVersion: `${OWN_GROUP}/v1`,
    kind: 'APIService',
    metadata: { name, labels: { [MANAGED]: managed } },
    spec,
  });
  const conditions = [locallyAvailable(created.metadata.creationTimestamp)];
  store.replace(API_SERVICES, created, { status: { conditions } });
}
