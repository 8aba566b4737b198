import { homedir } from 'node:os';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';

/** Which cluster is reached, and as whom: where left out, as kubectl finds it. */
export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A client of the cluster that kubectl would reach. Close it when it is no longer needed: it keeps connections open. */
export async function connect({ kubeconfig, context }: ConnectOptions = {}): Promise<ClusterClient> {
  const connection = await openConnection({
    kubeconfig,
    context,
    env: process.env,
    homeDirectory: homedir(),
    clock: systemClock,
  });
  return createKubeClient(connection, { clock: systemClock, userAgent: '@logtool/helm' });
}
