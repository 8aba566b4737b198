import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { onTestFinished } from 'vitest';

/**
 * Starts a cluster with this many pods of deployments/web on one node, each of which has written that line
 * this often; removes it after the test. A fault on the log of the last container does not affect the first
 * ones.
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
