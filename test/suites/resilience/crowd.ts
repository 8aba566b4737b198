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

/** A hundred containers, a third of them on a node whose clock is ahead, that write a line each on demand. */
export class Crowd {
  readonly cluster: SimCluster;
  /** Lines that each container wrote, the first as it started. */
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

  /** What the kubeconfig says of a user at this moment. */
  async entryOf(user: string): Promise<UserEntry> {
    const config = await readKubeconfigFile(this.cluster.kubeconfig);
    return (config.users.find(({ name }) => name === user)?.user ?? {}) as UserEntry;
  }

  /** Cuts all connections of logs and watches: clients that continue must show their credentials again. */
  async cutAll(): Promise<void> {
    await this.cluster.control.cutLogs();
    await this.cluster.control.dropWatches();
  }
}
