import type { ClusterConnection } from './cluster-connection.ts';
import type { ConnectionOptions } from './open-options.ts';

/** Reads the kubeconfig (or the service account) and prepares the connection; opens no socket yet. */
export async function openConnection(_options: ConnectionOptions): Promise<ClusterConnection> {
  throw new Error('not built yet');
}
