import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { type HelmVersion, helm } from '../../support/oracles/helm.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';

/** Names of the objects that every namespace contains by default. */
export const OF_NAMESPACES: readonly string[] = ['default', 'kube-root-ca.crt'];

/**
 * Output of client-go when helm cancels its own watch in the middle of a read, after its wait is over: a race
 * inside helm, regardless of the server.
 */
const CANCELED_WATCH =
  /^I\d{4} .*reflector\.go:\d+\] "Warning: watch ended with error" .*unable to decode an event from the watch stream: context canceled.*\n/gm;

/** A simulated cluster with one node, and the real helm and kubectl as its clients. */
export interface Lab {
  readonly cluster: SimCluster;
  /** A folder for charts, removed with the lab. */
  readonly folder: string;
  /** Runs helm; `kubeconfig` replaces the administrator's. */
  helm(version: HelmVersion, ...args: readonly string[]): Promise<Ran>;
  kubectl(...args: readonly string[]): Promise<Ran>;
  /** Writes a chart's files, by path inside it; returns its folder. */
  chart(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Requests to the API, in order: `GET /version 200`. */
  readonly calls: readonly string[];
}

export async function startLab(users: readonly unknown[] = []): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'helm-simulation-'));
  const cluster = await startSimCluster({
    scenario: { nodes: [{ name: 'node-1' }], namespaces: ['default'], users },
  });
  const watched = async (
    run: () => Promise<{ readonly stdout: Buffer; readonly stderr: string; readonly exitCode: number }>,
  ): Promise<Ran> => {
    const before = cluster.calls.length;
    const { stdout, stderr, exitCode } = await run();
    const calls = cluster.calls
      .slice(before)
      .map(({ method, uri, status }) => `${method} ${uri} ${status ?? '-'}`);
    return { stdout: stdout.toString(), stderr, exitCode, calls };
  };
  return {
    cluster,
    folder,
    helm: (version, ...args) =>
      watched(async () => {
        const ran = await helm(version, args, { home: folder, kubeconfig: cluster.kubeconfig, cwd: folder });
        return { ...ran, stderr: ran.stderr.replace(CANCELED_WATCH, '') };
      }),
    kubectl: (...args) => watched(() => kubectl(args, { kubeconfig: cluster.kubeconfig, home: folder })),
    async chart(name, files) {
      const root = join(folder, name);
      for (const [path, content] of Object.entries({ 'Chart.yaml': chartFile(name), ...files })) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
      return root;
    },

    async close() {
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until `done` is true of an object that the cluster's controllers change. */
export function until(
  { cluster }: Lab,
  resource: string,
  namespace: string,
  name: string,
  done: (object: StoredObject | undefined) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!done(cluster.store.get(resource, namespace, name))) return;
      stop();
      resolve();
    };
    const stop = cluster.store.subscribe(resource, check);
    check();
  });
}

function chartFile(name: string): string {
  return `apiVersion: v2\nname: ${name}\nversion: 0.1.0\nappVersion: "1"\n`;
}
