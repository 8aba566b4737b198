import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { readKubeconfigFile } from '../../support/kubeconfig-file.ts';

export const PODS = 100;
export const SKEW_MS = 5_000;
const RULES = [
  { resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: ['get', 'list', 'watch'] },
];

interface UserEntry {
  readonly token?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key-data'?: string;
}

/** A hundred containers, a third of them on a node whose clock is ahead; each writes a line on demand. */
export class Crowd {
  readonly cluster: SimCluster;
  /** Number of lines that each container has written, including its first line at start. */
  written = 1;

  private constructor(cluster: SimCluster) {
    this.cluster = cluster;
  }

  static async start(): Promise<Crowd> {
    const cluster = await startSimCluster({
      scenario: {
        startDelays: 'none',
        nodes: [
          { name: 'node-a', pods: 40 },
          { name: 'node-b', pods: 40 },
          { name: 'node-ahead', pods: 40, clockSkew: `${SKEW_MS}ms` },
        ],
        users: [
          { name: 'dev', rules: RULES },
          { name: 'cert', auth: 'certificate', rules: RULES },
        ],
        workloads: [
          {
            kind: 'Deployment',
            name: 'many',
            replicas: PODS,
            containers: [{ name: 'app', lines: ['line 1'] }],
          },
        ],
      },
    });
    return new Crowd(cluster);
  }

  async write(): Promise<void> {
    this.written++;
    const written = await this.cluster.control.writeLines({
      workload: 'deployments/many',
      text: `line ${this.written}`,
    });
    if (written.length !== PODS) throw new Error(`${written.length} containers wrote`);
  }

  /** Returns the kubeconfig's current entry for a user. */
  async entryOf(user: string): Promise<UserEntry> {
    const config = await readKubeconfigFile(this.cluster.kubeconfig);
    return (config.users.find(({ name }) => name === user)?.user ?? {}) as UserEntry;
  }

  /** Cuts all connections of logs and watches: clients that continue must authenticate again. */
  async cutAll(): Promise<void> {
    await this.cluster.control.cutLogs();
    await this.cluster.control.dropWatches();
  }
}
