import { NODES } from '@logtool/kube/src/builtin-resources.ts';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Context } from '../../contract/cluster.ts';
import { toWireError } from '../to-wire-error.ts';

/** What a cluster was like when it was last asked. */
export type Reached = Pick<Context, 'reachability' | 'version' | 'nodes' | 'error'>;

/** Whether the cluster answers and takes the credentials, which version it has and how many nodes. Never rejects. */
export async function askCluster(client: ClusterClient, signal: AbortSignal): Promise<Reached> {
  try {
    const [version, nodes] = await Promise.all([client.version({ signal }), countNodes(client, signal)]);
    return { reachability: 'reachable', version, ...(nodes === undefined ? {} : { nodes }) };
  } catch (error) {
    return { reachability: 'unreachable', error: toWireError(error, client.cluster) };
  }
}

/** Undefined if nodes may not be listed. */
async function countNodes(client: ClusterClient, signal: AbortSignal): Promise<number | undefined> {
  let count = 0;
  try {
    for await (const { items } of client.list(NODES, { metadataOnly: true }, { signal }))
      count += items.length;
    return count;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return undefined;
    throw error;
  }
}
