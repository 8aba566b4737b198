import { homedir } from 'node:os';
import { openConnection } from './connection/open-connection.ts';
import { type ClusterClient, createKubeClient } from './create-client.ts';
import { systemClock } from './values/clock.ts';

/** Which cluster is reached, and as whom: where left out, as kubectl finds it. */
export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** `@logtool/kube` unless given. */
  readonly userAgent?: string;
}

/** A client of the cluster that kubectl would reach. Close it when it is no longer needed: it keeps connections open. */
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
