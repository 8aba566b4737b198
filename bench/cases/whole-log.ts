import { comparison } from '../measure/compare.ts';
import { type Case, whereOf } from './case.ts';

const WHOLE = ['--all', '--previous=no'];

/**
 * Prints the whole log of one container (160 MB in the simulated cluster). In both cases, the peer is kubectl without
 * timestamps.
 */
export const WHOLE_LOG_CASES: readonly Case[] = [
  comparison({
    name: 'whole log raw',
    logtool: ({ cluster }) => ['logs', cluster.pod, ...WHOLE, '--raw', ...whereOf(cluster)],
    peer: ({ cluster, programs }) => [[programs.kubectl, 'logs', cluster.pod, ...whereOf(cluster)]],
    alike: 'bytes',
    goals: () => ({ wall: 1.0, cpu: 1.2, peakMiB: 100 }),
  }),
  comparison({
    name: 'whole log table',
    logtool: ({ cluster }) => ['logs', cluster.pod, ...WHOLE, '--hide-header', ...whereOf(cluster)],
    peer: ({ cluster, programs }) => [[programs.kubectl, 'logs', cluster.pod, ...whereOf(cluster)]],
    peerCompared: ({ cluster, programs }) => [
      [programs.kubectl, 'logs', cluster.pod, '--timestamps', ...whereOf(cluster)],
    ],
    alike: 'records',
    goals: () => ({ cpu: 2.5, peakMiB: 100 }),
  }),
];
