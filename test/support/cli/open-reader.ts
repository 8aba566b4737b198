import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import type { McpReader } from '@logtool/logtool/src/cli/mcp/reader.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { onTestFinished } from 'vitest';

/**
 * Opens what tools read from in a test. `clock` applies only to the tool; its client uses the system's time.
 */
export async function openReader(
  cluster: SimCluster,
  clock: Clock = systemClock,
  context?: string,
): Promise<McpReader> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context,
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
  onTestFinished(() => client.close());
  return {
    client: async () => client,
    clock,
    allowedNamespaces: [],
    redacts: true,
    onError: () => undefined,
  };
}
