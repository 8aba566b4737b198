import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';

/** Creates a client of a simulated cluster, as the administrator or as a user of the scenario. */
export async function simClient(cluster: SimCluster, context?: string): Promise<ClusterClient> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    ...(context === undefined ? {} : { context }),
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  return createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
}
