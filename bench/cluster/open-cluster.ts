import { outputOf } from '../measure/output-of.ts';
import type { ForeignCluster } from '../options.ts';
import { type SimulatedCluster, startSimulated } from './simulated.ts';
import { EXPRESSION, LITERAL, RARE } from './write-logs.ts';

export interface Searched {
  readonly pod: string;
  readonly literal: string;
  readonly expression: string;
  /** A word in the pod with the long log; rare in the simulated cluster. */
  readonly rare: string;
}

/** The cluster of a measurement, and its workloads. */
export interface BenchCluster {
  /** A sentence about the cluster, for the report. */
  readonly description: string;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** A pod with one container and a long log. */
  readonly pod: string;
  /** The pod whose log is searched, and the patterns; undefined if its last lines have no word. */
  readonly searched: Searched | undefined;
  /** KIND/NAME with many containers. */
  readonly workload: string;
  /** deployments/NAME with five pods; in another cluster, the workload. */
  readonly small: string;
  /** The label selector of the workload's pods, for kubectl. */
  readonly selector: string;
  /** A source with one container: in the simulated cluster, like those of the workload. */
  readonly single: string;
  /** The environment of the measured programs. */
  readonly env: NodeJS.ProcessEnv;
  /** For cases that write lines; undefined in another cluster. */
  readonly simulated: SimulatedCluster | undefined;
  close(): Promise<void>;
}

export async function openCluster(
  foreign: ForeignCluster | undefined,
  kubectl: string,
  simcluster: string,
): Promise<BenchCluster> {
  if (foreign !== undefined) return foreignCluster(foreign, kubectl);
  const simulated = await startSimulated(simcluster);
  const { kubeconfig, directory } = simulated;
  try {
    // Keep out the machine's own configuration and caches.
    const env = { ...process.env, HOME: directory, KUBECONFIG: kubeconfig };
    const ask = (...args: string[]) => outputOf([kubectl, ...args, '--kubeconfig', kubeconfig], env);
    const pods = (await ask('get', 'pods', '-o', 'name')).split('\n');
    const podOf = (app: string) =>
      pods.find((name) => name.startsWith(`pod/${app}-`))?.replace('pod/', '') ?? '';
    return {
      description:
        'The cluster is simulated, on the same machine: a container with a log of 160 MB, one with 200 MB that are searched, and a hundred with 2,000 lines each.',
      kubeconfig,
      namespace: 'default',
      pod: podOf('big'),
      searched: { pod: podOf('search'), literal: LITERAL, expression: EXPRESSION, rare: RARE },
      workload: 'deployments/many',
      small: 'deployments/five',
      selector: 'app=many',
      single: 'deployments/one',
      env,
      simulated,
      close: () => simulated.close(),
    };
  } catch (error) {
    await simulated.close();
    throw error;
  }
}

async function foreignCluster(foreign: ForeignCluster, kubectl: string): Promise<BenchCluster> {
  const { kubeconfig, namespace } = foreign;
  const ask = (...args: string[]) =>
    outputOf([kubectl, ...args, '-n', namespace, '--kubeconfig', kubeconfig], process.env);
  const { pod, workload } = foreign;
  if (pod === undefined || workload === undefined)
    throw new Error('--pod and --workload name what is measured in the cluster of --kubeconfig');
  const labels = await ask('get', workload, '-o', 'jsonpath={.spec.selector.matchLabels}');
  const selector = Object.entries(JSON.parse(labels || '{}') as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  if (selector === '') throw new Error(`${workload} has no selector of labels that kubectl could be told`);
  const [rare] = (await ask('logs', pod, '--tail=1000')).match(/[A-Za-z]{3,}/g) ?? [];
  const server = await ask('config', 'view', '--minify', '-o', 'jsonpath={.clusters[0].cluster.server}');
  return {
    description: `The cluster is the one at ${server}; namespace ${namespace}, pod ${pod}, workload ${workload}. The goals are for logs of 160 MB and a hundred containers: where there is less, starting counts for more.`,
    kubeconfig,
    namespace,
    pod,
    searched:
      rare === undefined
        ? undefined
        : { pod, literal: rare, expression: `${rare.slice(0, 2)}[A-Za-z]+`, rare: rare },
    workload,
    small: workload,
    selector,
    single: pod,
    env: process.env,
    simulated: undefined,
    async close() {},
  };
}
