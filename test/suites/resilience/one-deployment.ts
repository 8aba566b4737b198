import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { onTestFinished } from 'vitest';

/**
 * A cluster, removed with the test, of this many pods of deployments/web on one node that have each written
 * that line this often. The first containers are unaffected by a fault on the log of the last.
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
