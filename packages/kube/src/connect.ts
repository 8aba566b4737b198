import { homedir } from 'node:os';
import { openConnection } from './connection/open-connection.ts';
import { type ClusterClient, createKubeClient } from './create-client.ts';
import { systemClock } from './values/clock.ts';

/** Which cluster to reach, and as which user. Omitted options default to what kubectl uses. */
export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Default: `@logtool/kube`. */
  readonly userAgent?: string;
}

/** Returns a client for the cluster that kubectl would reach. Close it after use: it keeps connections open. */
export async function connect({
  kubeconfig,
  context,
  userAgent = '@logtool/kube',
}: ConnectOptions = {}): Promise<ClusterClient> {
  const connection = await openConnection({
    kubeconfig,
    context,
    env: process.env,
    homeDirectory: homedir(),
    clock: systemClock,
  });
  return createKubeClient(connection, { clock: systemClock, userAgent });
}
