import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';

/** The pod with the long log: more than the buffers between a server and a stalled reader can hold. */
export const LONG_LOG = { namespace: 'default', pod: 'long', container: 'app' };
const LINES = 20_000;
const LINE = Buffer.alloc(1_000, 'x');

/** Starts a cluster with a log of 20 MB, which its kubelet does not rotate: the API serves only the newest file. */
export async function startLongLog(): Promise<SimCluster> {
  const cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      clusterName: 'long',
      logMaxBytes: 1_000_000_000,
      nodes: [{ name: 'node-a' }],
      workloads: [{ kind: 'Pod', name: LONG_LOG.pod, containers: [{ name: LONG_LOG.container, lines: [] }] }],
    },
  });
  for (let line = 0; line < LINES; line++) await cluster.writeLog(LONG_LOG, { bytes: LINE });
  return cluster;
}
