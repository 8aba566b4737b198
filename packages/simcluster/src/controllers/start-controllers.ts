import type { Cluster } from './cluster.ts';
import { startDisruptionBudgets } from './disruption-budgets.ts';
import { startGarbageCollector } from './namespaces/garbage.ts';
import { startDefaultAccounts } from './namespaces/namespace-contents.ts';
import { startNamespaces } from './namespaces/namespaces.ts';
import { startScheduler } from './scheduling/scheduler.ts';
import { startEndpoints } from './services/endpoints.ts';
import { startLoadBalancers } from './services/load-balancers.ts';
import { startVolumes } from './volumes.ts';
import { startCronJobs } from './workloads/cronjobs.ts';
import { startDaemonSets } from './workloads/daemonsets.ts';
import { startDeployments } from './workloads/deployments.ts';
import { startJobs } from './workloads/jobs.ts';
import { type OwnKind, startOwnKinds } from './workloads/own-kinds.ts';
import { startReplicaSets } from './workloads/replicasets.ts';
import { startStatefulSets } from './workloads/statefulsets.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Starts the controller manager and the scheduler. */
export function startControllers(cluster: Cluster, ownKinds: readonly OwnKind[]): void {
  startScheduler(cluster);
  startReplicaSets(cluster);
  startDeployments(cluster);
  startStatefulSets(cluster);
  startDaemonSets(cluster);
  startJobs(cluster);
  startCronJobs(cluster);
  startEndpoints(cluster);
  startOwnKinds(cluster, ownKinds);
  startDisruptionBudgets(cluster);
  startVolumes(cluster);
  startLoadBalancers(cluster);
  startNamespaces(cluster);
  startDefaultAccounts(cluster);
  startCustomResources(cluster);
  startGarbageCollector(cluster);
}

/**
 * Deletes the objects of a custom resource together with its definition, because no request could reach them any more.
 */
function startCustomResources(cluster: Cluster): void {
  const { store, queue } = cluster;
  store.subscribe(DEFINITIONS, ({ type, object }) => {
    if (type !== 'DELETED') return;
    // A definition's name is the store's name for its resource.
    const { name } = object.metadata;
    queue.add(`custom/${name}`, () => {
      if (store.get(DEFINITIONS, undefined, name) !== undefined) return;
      for (const { metadata } of store.list(name)) store.remove(name, metadata.namespace, metadata.name);
    });
  });
}
