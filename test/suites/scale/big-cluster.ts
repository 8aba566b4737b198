import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';

const IMAGE = 'registry.example.com/scale/app:1.0.0';
export const WEB_REPLICAS = 1_000;
/** Number of lines that each container of `web` writes. */
export const WEB_LINES = 3;
/** Replicas of `few`; tests request one of its pods by name. */
export const SMALL_REPLICAS = 7;

/**
 * Starts a cluster of 5,000 pods in five namespaces on 300 nodes. `team-1` has a thousand pods of the
 * Deployment `web`, whose first lines all have the same time; the rest are small Deployments of ten, and a
 * StatefulSet.
 */
export function startBigCluster(): Promise<SimCluster> {
  // Older than a minute: it is uncertain which run of a container wrote more recent lines.
  const same = new Date(Date.now() - 15 * 60_000).toISOString();
  const container = (lines: readonly unknown[]) => [{ name: 'app', image: IMAGE, lines }];
  const namespaces = ['team-1', 'team-2', 'team-3', 'team-4', 'team-5'];
  const zone = (name: string) => ({ name, region: 'eu-west-1', zone: `eu-west-1${name}`, copies: 100 });
  return startSimCluster({
    scenario: {
      seed: 9,
      clusterName: 'scale',
      namespace: 'team-1',
      startDelays: 'none',
      backfill: '10m',
      nodes: ['a', 'b', 'c'].map(zone),
      namespaces,
      workloads: [
        {
          kind: 'Deployment',
          name: 'web',
          namespace: 'team-1',
          replicas: WEB_REPLICAS,
          containers: container([{ text: 'at one moment', at: same }, 'starting', 'ready']),
        },
        {
          kind: 'Deployment',
          name: 'few',
          namespace: 'team-1',
          replicas: SMALL_REPLICAS,
          containers: container([{ text: 'line {n}', repeat: 200, after: '1ms' }]),
        },
        {
          kind: 'StatefulSet',
          name: 'db',
          namespace: 'team-2',
          replicas: 3,
          containers: container(['ready']),
        },
        {
          kind: 'Deployment',
          name: 'service',
          copies: 399,
          spread: true,
          replicas: 10,
          containers: container(['ready']),
        },
      ],
    },
  });
}

/** Returns the names of a workload's pods, from the store. */
export function podNames(cluster: SimCluster, namespace: string, prefix: string): readonly string[] {
  return cluster.store
    .list('pods', namespace)
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

/**
 * Returns the nodes' lines of the pods whose folder has this prefix (`team-1_web-`) as `TIME POD MESSAGE`, in
 * the expected order: by time, then by the pod's UID, then as written.
 */
export async function writtenLines(cluster: SimCluster, folderStart: string): Promise<readonly string[]> {
  const found: { readonly at: string; readonly uid: string; readonly line: string }[] = [];
  for (const node of await readdir(cluster.logDirectory)) {
    for (const folder of await readdir(join(cluster.logDirectory, node))) {
      if (!folder.startsWith(folderStart)) continue;
      const [, pod = '', uid = ''] = folder.split('_');
      const text = await readFile(join(cluster.logDirectory, node, folder, 'app/0.log'), 'utf8');
      for (const entry of text.trimEnd().split('\n')) {
        const [, stamp = '', message = ''] = /^(\S+) stdout F (.*)$/.exec(entry) ?? [];
        // The file drops trailing zeros of a fraction.
        const [seconds = '', fraction = ''] = stamp.replace('Z', '').split('.');
        const at = `${seconds}.${fraction.padEnd(9, '0')}Z`;
        found.push({ at, uid, line: `${at} ${pod} ${message}` });
      }
    }
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return found.sort((a, b) => order(a.at, b.at) || order(a.uid, b.uid)).map(({ line }) => line);
}

/** Returns logtool's output of `-o json` in the same form. */
export function printedLines(stdout: string): string[] {
  if (stdout === '') return [];
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { timestamp, pod, message } = JSON.parse(line);
      return `${timestamp} ${pod} ${message}`;
    });
}
