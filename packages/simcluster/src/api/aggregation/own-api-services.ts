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
  const versions = new Map(own.map((type) => [apiVersionOf(type), type]));
  for (const [apiVersion, { group, version }] of versions) {
    const name = `${version}.${group}`;
    if (store.get(API_SERVICES, undefined, name) !== undefined) continue;
    const created = store.create(API_SERVICES, {
      apiVersion: `${OWN_GROUP}/v1`,
      kind: 'APIService',
      metadata: { name, labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
      spec: {
        group,
        version,
        groupPriorityMinimum: GROUP_PRIORITIES[group] ?? DEFAULT_PRIORITY,
        versionPriority: VERSION_PRIORITIES[apiVersion] ?? DEFAULT_VERSION_PRIORITY,
      },
    });
    const conditions = [locallyAvailable(created.metadata.creationTimestamp)];
    store.replace(API_SERVICES, created, { status: { conditions } });
  }
}
