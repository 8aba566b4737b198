import type { Cluster } from './cluster.ts';
import { startCustomResources } from './custom-resources.ts';
import { startDisruptionBudgets } from './disruption-budgets.ts';
import { startGarbageCollector } from './namespaces/garbage.ts';
import { startDefaultAccounts } from './namespaces/namespace-contents.ts';
import { startNamespaces } from './namespaces/namespaces.ts';
import { startScheduler } from './pods/scheduler.ts';
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
