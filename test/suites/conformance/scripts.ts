import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { ClusterUnderTest, PodLike } from '../../support/conformance/cluster.ts';
import { container, pod, podSpec } from './pods.ts';
import type { Run } from './script-of.ts';

const numbered = { text: 'line {n}' };

/** Writes `line 1` to `line N`. */
export const counted = (to: number) => ({ ...numbered, repeat: to });

/** Exits successfully after `line 1` to `line N`. */
export const counter = (to: number): Run => ({ lines: [counted(to)], exit: {} });

/** Keeps running after these lines. */
export const server = (to: number): Run => ({ lines: [counted(to)] });

/** Writes `line 1` to `line N`, ten a second, then exits. */
export const slowCounter = (to: number): Run => ({ lines: [{ ...counted(to), after: '0.1s' }], exit: {} });

/** Returns the lines of such a container, from one number to another. */
export const count = (to: number, from = 1) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

/** Writes `line 1`, `line 2`... forever. */
export const ticker: Run = { lines: [{ ...numbered, repeat: 1_000_000, after: '0.1s' }] };

/** Makes a pod with one container named app, and waits until it has succeeded. */
export async function finished(cluster: ClusterUnderTest, name: string, run: Run): Promise<PodLike> {
  const spec = podSpec(cluster.pods, [container('app', run, cluster.pods)], { restartPolicy: 'Never' });
  await cluster.create(pod(name, spec));
  return cluster.until(PODS, name, (seen) => seen.status?.phase === 'Succeeded');
}

/** Returns the numbers of each pod's lines, from a table whose only column is the pod. */
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

/**
 * Returns 1, 2, 3... up to the length of a list: the expected numbers if each line appears once, in order.
 */
export const inOrder = (numbers: readonly number[]) => numbers.map((_, index) => index + 1);
