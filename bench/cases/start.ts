import { comparison } from '../measure/compare.ts';
import { type Case, whereOf } from './case.ts';

/** Measures starting, and the last ten lines of a pod. */
export const START_CASES: readonly Case[] = [
  comparison({
    name: 'version',
    logtool: () => ['--version'],
    peer: ({ programs }) => [[programs.kubectl, 'version', '--client']],
    alike: 'nothing',
    goals: () => ({ peakMiB: 100 }),
  }),
  ...[[], ['--raw']].map((flags) =>
    comparison({
      name: `pod tail 10${flags.length > 0 ? ' raw' : ''}`,
      logtool: ({ cluster }) => [
        'logs',
        cluster.pod,
        '--tail=10',
        '--hide-header',
        ...flags,
        ...whereOf(cluster),
      ],
      peer: ({ cluster, programs }) => [
        [programs.kubectl, 'logs', cluster.pod, '--tail=10', ...whereOf(cluster)],
      ],
      peerCompared: ({ cluster, programs }) => [
        [
          programs.kubectl,
          'logs',
          cluster.pod,
          '--tail=10',
          ...whereOf(cluster),
          ...(flags.length > 0 ? [] : ['--timestamps']),
        ],
      ],
      alike: flags.length > 0 ? 'bytes' : 'records',
      goals: (kind) => ({ wall: kind === 'node' ? 1.0 : 0.4, peakMiB: 100 }),
    }),
  ),
];
