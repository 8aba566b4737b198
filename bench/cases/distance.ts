import { atDistance } from '../cluster/distance.ts';
import { comparison } from '../measure/compare.ts';
import { type Case, Skipped, whereOf } from './case.ts';

const ROUND_TRIP_MS = 40;

/** Measures with the latency of a distant server: the cost is the number of round trips that a program waits for. */
export const DISTANCE_CASES: readonly Case[] = [
  far(
    comparison({
      name: 'far pod tail 10',
      logtool: ({ cluster }) => ['logs', cluster.pod, '--tail=10', '--hide-header', ...whereOf(cluster)],
      peer: ({ cluster, programs }) => [
        [programs.kubectl, 'logs', cluster.pod, '--tail=10', ...whereOf(cluster)],
      ],
      peerCompared: ({ cluster, programs }) => [
        [programs.kubectl, 'logs', cluster.pod, '--tail=10', '--timestamps', ...whereOf(cluster)],
      ],
      alike: 'records',
      goals: () => ({ wall: 0.8 }),
    }),
  ),
  far(
    comparison({
      name: 'far deployment tail 10',
      // stern prints ten lines of each container, logtool the last ten of all.
      logtool: ({ cluster }) => ['logs', cluster.small, '--tail=10', '--hide-header', ...whereOf(cluster)],
      peer: (bench) => [stern(bench.programs.stern, bench.cluster.small, whereOf(bench.cluster))],
      peerCompared: (bench) => [
        [...stern(bench.programs.stern, bench.cluster.small, whereOf(bench.cluster)), '--timestamps'],
      ],
      peerPrefix: 'stern',
      alike: 'last records',
      goals: () => ({ wall: 1.0 }),
    }),
  ),
];

function far({ name, run }: Case): Case {
  return {
    name,
    async run(bench) {
      const cluster = await atDistance(bench.cluster, bench.programs.kubectl, ROUND_TRIP_MS);
      try {
        return await run({ ...bench, cluster });
      } finally {
        await cluster.close();
      }
    },
  };
}

function stern(program: string | undefined, workload: string, where: readonly string[]): readonly string[] {
  if (program === undefined) throw new Skipped('stern is not here, nor go to build it with');
  const source = workload.replace(/^deployments\//, 'deployment/');
  return [program, source, '--no-follow', '--tail=10', '--color=never', ...where];
}
