import { readInCluster } from '@logtool/kube/src/config/in-cluster.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import type { ConnectionOptions } from '@logtool/kube/src/connection/open-options.ts';
import type { ContextSource } from './context-source.ts';

/** Returns the cluster that the server runs in, with its service account. Throws CodedError `in-cluster-missing`. */
export async function inClusterSource(
  options: Omit<ConnectionOptions, 'inCluster' | 'kubeconfig' | 'context'>,
): Promise<ContextSource> {
  const { server, namespace } = await readInCluster(options.env, options.serviceAccountDirectory);
  const name = 'in-cluster';
  const entry = {
    name,
    server: server.origin,
    namespace,
    isCurrent: true,
    clusterPrint: server.origin,
    userPrint: '',
  };
  return {
    revision: 1,
    contexts: new Map([[name, entry]]),
    error: undefined,
    open: (_context, bearer) => openConnection({ ...options, inCluster: true, bearer }),
    onChange: () => () => {},
    close() {},
  };
}
