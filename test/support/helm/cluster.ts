import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type HelmVersion, helm } from '../oracles/helm.ts';

/** A cluster for releases: only the test's objects run in it. */
export interface HelmCluster {
  readonly sim: SimCluster;
  readonly client: ClusterClient;
  /** A folder for charts and for the real helm's own files. */
  readonly home: string;
  /** Creates a client for another user of the kubeconfig. */
  connect(context?: string): Promise<ClusterClient>;
  /** Runs a real helm on the cluster; throws its output if it fails. */
  helm(version: HelmVersion, ...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Shortens the client's waits: these tests check what happens, not when. */
export const quickClock: Clock = {
  now: systemClock.now,
  steady: systemClock.steady,
  after: (delayMs: number, callback: () => void) =>
    systemClock.after(delayMs > 60_000 ? delayMs : delayMs / 20, callback),
};

/** `clock`: for the clients' waits before they retry. `simClock`: the cluster's. */
export async function startHelmCluster(
  scenario: unknown = 'scenarios/minimal.yaml',
  clock: Clock = quickClock,
  simClock: Clock = systemClock,
): Promise<HelmCluster> {
  const sim = await startSimCluster({ scenario, clock: simClock });
  const home = await mkdtemp(join(tmpdir(), 'logtool-helm-'));
  const clients: ClusterClient[] = [];
  const connect = async (context?: string) => {
    const connection = await openConnection({
      kubeconfig: sim.kubeconfig,
      context,
      env: {},
      homeDirectory: home,
      clock: systemClock,
    });
    const client = createKubeClient(connection, { clock, userAgent: 'logtool/test' });
    clients.push(client);
    return client;
  };
  return {
    sim,
    client: await connect(),
    home,
    connect,
    async helm(version, ...args) {
      const { stdout, stderr, exitCode } = await helm(version, args, { home, kubeconfig: sim.kubeconfig });
      if (exitCode !== 0) throw new Error(`helm ${version} ${args.join(' ')}: ${stderr}`);
      return stdout.toString();
    },

    async close() {
      for (const client of clients) client.close();
      await sim.close();
      await rm(home, { recursive: true });
    },
  };
}
