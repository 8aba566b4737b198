import { join, resolve } from 'node:path';
import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLogtool } from '../../support/conformance/program.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
let cluster: SimCluster;

interface LogAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: join(ROOT, 'scenarios/odd.yaml') });
});

afterAll(() => cluster?.close());

/** Returns every container of the scenario. */
function addresses(): LogAddress[] {
  return cluster.store.list(PODS.plural).flatMap((pod) => {
    const spec = pod.spec as { containers: { name: string }[]; initContainers?: { name: string }[] };
    return [...(spec.initContainers ?? []), ...spec.containers].map((container) => ({
      namespace: pod.metadata.namespace ?? '',
      pod: pod.metadata.name,
      container: container.name,
    }));
  });
}

async function both(address: LogAddress, ours: readonly string[], theirs: readonly string[]) {
  const source = `${address.namespace}:pods/${address.pod}/${address.container}`;
  const target = ['-n', address.namespace, address.pod, '-c', address.container];
  const [mine, real] = await Promise.all([
    runLogtool(['logs', source, '--raw', '--previous=no', ...ours, '--kubeconfig', cluster.kubeconfig]),
    kubectl(['logs', ...target, ...theirs], { kubeconfig: cluster.kubeconfig }),
  ]);
  return { mine, real };
}

const variants: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['the whole log', ['--all'], []],
  ...[0, 1, 3, 10, 11, 12, 13, 50, 100_000].map(
    (n) => [`the last ${n}`, [`--tail=${n}`], [`--tail=${n}`]] as const,
  ),
  ['the log since an hour ago', ['--since=1h', '--all'], ['--since=1h']],
  ['the last 3 since an hour ago', ['--since=PT1H', '--tail=3'], ['--since=1h', '--tail=3']],
  ['the log since a point', ['--since=2026-11-21T02:00:00Z', '--all'], ['--since-time=2026-11-21T02:00:00Z']],
];

test.each(variants)(
  '%s of every odd container is byte for byte what kubectl prints',
  async (_, ours, theirs) => {
    const all = addresses();
    expect(all.length).toBeGreaterThan(8);
    let compared = 0;
    for (const address of all) {
      const { mine, real } = await both(address, ours, theirs);
      expect(mine.stdout.equals(real.stdout), `${JSON.stringify(address)} ${mine.stderr}`).toBe(true);
      if (real.exitCode !== 0) expect(mine.exitCode, JSON.stringify(address)).toBe(1);
      compared += real.stdout.length;
    }
    if (!ours.includes('--tail=0')) expect(compared).toBeGreaterThan(0);
  },
);
