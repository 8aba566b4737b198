import { systemClock } from '../../domain/clock.ts';
import type { KubeClient } from '../../kube/client.ts';
import { openConnection } from '../../kube/connection/open-connection.ts';
import { createKubeClient } from '../../kube/create-client.ts';
import type { SimCluster } from '../../simcluster/start.ts';

/** A client of a simulated cluster, as the administrator or as a user of the scenario. */
export async function simClient(cluster: SimCluster, context?: string): Promise<KubeClient> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    ...(context === undefined ? {} : { context }),
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  return createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
}
