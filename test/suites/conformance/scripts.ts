import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { ClusterUnderTest, PodLike } from './cluster.ts';
import { pod, podSpec, shell } from './pods.ts';

/** A script that prints `line 1` to `line N`. */
export const counter = (to: number) => `for i in $(seq 1 ${to}); do echo "line $i"; done`;

/** What such a script prints, from one number to another. */
export const count = (to: number, from = 1) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

/** A script that prints `line 1`, `line 2`... for ever. */
export const ticker = 'n=0; while true; do n=$((n+1)); echo "line $n"; sleep 0.1; done';

/** Makes a pod with one container named app that runs the script, and waits until it has ended well. */
export async function finished(cluster: ClusterUnderTest, name: string, script: string): Promise<PodLike> {
  const spec = podSpec(cluster.pods, [shell('app', script, cluster.pods)], { restartPolicy: 'Never' });
  await cluster.create(pod(name, spec));
  return cluster.until(PODS, name, (seen) => seen.status?.phase === 'Succeeded');
}

/** Numbers of the lines of each pod, from a table whose only column is the pod. */
export function numbersByPod(rows: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const row of rows) {
    const match = /^(\S+) +line (\d+)$/.exec(row);
    if (match === null) continue;
    const [, name = '', number] = match;
    found.set(name, [...(found.get(name) ?? []), Number(number)]);
  }
  return found;
}

/** 1, 2, 3... up to the length of a list: what each line once, in its order, comes to. */
export const inOrder = (numbers: readonly number[]) => numbers.map((_, index) => index + 1);
