import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';

const IMAGE = 'registry.example.com/scale/app:1.0.0';
export const WEB_REPLICAS = 1_000;
/** Each container of `web` writes this many. */
export const WEB_LINES = 3;
/** Of `few`, one pod of which is requested by its name. */
export const SMALL_REPLICAS = 7;

/**
 * 5,000 pods in five namespaces on 300 nodes. In `team-1` a thousand of the Deployment `web`, whose first lines all
 * carry the same time; the rest are small Deployments of ten, and a StatefulSet.
 */
export function startBigCluster(): Promise<SimCluster> {
  // Older than a minute: of younger lines it is not certain which run of their container wrote them.
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

/** Names of the pods of a workload, from the store. */
export function podNames(cluster: SimCluster, namespace: string, prefix: string): readonly string[] {
  return cluster.store
    .list('pods', namespace)
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

/**
 * What the nodes hold of the pods whose folder begins so (`team-1_web-`), `TIME POD MESSAGE`, in the order in which it
 * is to be shown: by time, at one time by the pod's UID, in one pod as it was written.
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
        // A file leaves out the zeros at the end of a fraction.
        const [seconds = '', fraction = ''] = stamp.replace('Z', '').split('.');
        const at = `${seconds}.${fraction.padEnd(9, '0')}Z`;
        found.push({ at, uid, line: `${at} ${pod} ${message}` });
      }
    }
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return found.sort((a, b) => order(a.at, b.at) || order(a.uid, b.uid)).map(({ line }) => line);
}

/** The same of what logtool printed with `-o json`. */
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
