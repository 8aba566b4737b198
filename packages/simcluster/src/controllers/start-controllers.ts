import type { Cluster } from './cluster.ts';
import { startCronJobs } from './cronjobs.ts';
import { startCustomResources } from './custom-resources.ts';
import { startDaemonSets } from './daemonsets.ts';
import { startDeployments } from './deployments.ts';
import { startDisruptionBudgets } from './disruption-budgets.ts';
import { startEndpoints } from './endpoints.ts';
import { startGarbageCollector } from './garbage.ts';
import { startJobs } from './jobs.ts';
import { startLoadBalancers } from './load-balancers.ts';
import { startDefaultAccounts } from './namespace-contents.ts';
import { startNamespaces } from './namespaces.ts';
import { type OwnKind, startOwnKinds } from './own-kinds.ts';
import { startReplicaSets } from './replicasets.ts';
import { startScheduler } from './scheduler.ts';
import { startStatefulSets } from './statefulsets.ts';
import { startVolumes } from './volumes.ts';

/** The controller manager and the scheduler. */
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
