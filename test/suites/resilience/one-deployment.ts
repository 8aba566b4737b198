import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { onTestFinished } from 'vitest';

/**
 * A cluster, gone with the test, of so many pods of deployments/web on one node that have each written that line so often.
 * Of the containers the first have nothing to do with a fault on the log of the last.
 */
export async function clusterOf(
  pods: number,
  line: { readonly text: string; readonly repeat: number },
  faults: readonly Fault[],
): Promise<SimCluster> {
  const cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'node-a' }],
      workloads: [
        { kind: 'Deployment', name: 'web', replicas: pods, containers: [{ name: 'app', lines: [line] }] },
      ],
    },
  });
  onTestFinished(() => cluster.close());
  for (const fault of faults) cluster.inject(fault);
  return cluster;
}
