import { comparison } from '../measure/compare.ts';
import { type Bench, type Case, whereOf } from './case.ts';

const GOALS = { wall: 0.15, cpu: 2.5, peakMiB: 100 };

const kubectl = ({ cluster, programs }: Bench, tail: number) => [
  [
    programs.kubectl,
    'logs',
    '-l',
    cluster.selector,
    '--prefix',
    '--timestamps',
    '--max-log-requests',
    '100',
    `--tail=${tail}`,
    ...whereOf(cluster),
  ],
];

/** The containers of a workload (a hundred in the simulated cluster), in true order. */
export const MANY_CASES: readonly Case[] = [
  comparison({
    name: 'many all',
    logtool: ({ cluster }) => [
      'logs',
      cluster.workload,
      '--all',
      '--previous=no',
      '--hide-header',
      ...whereOf(cluster),
    ],
    peer: (bench) => kubectl(bench, -1),
    alike: 'records',
    goals: () => GOALS,
  }),
  comparison({
    // kubectl prints ten lines of each container, logtool the last ten of all.
    name: 'many tail 10',
    logtool: ({ cluster }) => ['logs', cluster.workload, '--tail=10', '--hide-header', ...whereOf(cluster)],
    peer: (bench) => kubectl(bench, 10),
    alike: 'last records',
    goals: () => GOALS,
  }),
];
