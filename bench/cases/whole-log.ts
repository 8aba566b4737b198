import { comparison } from '../measure/compare.ts';
import { type Case, whereOf } from './case.ts';

const WHOLE = ['--all', '--previous=no'];

/** The whole log of one container, 160 MB if it can be chosen. The peer is kubectl without timestamps in both. */
export const WHOLE_LOG_CASES: readonly Case[] = [
  comparison({
    name: 'whole log raw',
    logtool: ({ place }) => ['logs', place.pod, ...WHOLE, '--raw', ...whereOf(place)],
    peer: ({ place, programs }) => [[programs.kubectl, 'logs', place.pod, ...whereOf(place)]],
    alike: 'bytes',
    goals: () => ({ wall: 1.0, cpu: 1.2, peakMiB: 100 }),
  }),
  comparison({
    name: 'whole log table',
    logtool: ({ place }) => ['logs', place.pod, ...WHOLE, '--hide-header', ...whereOf(place)],
    peer: ({ place, programs }) => [[programs.kubectl, 'logs', place.pod, ...whereOf(place)]],
    peerCompared: ({ place, programs }) => [
      [programs.kubectl, 'logs', place.pod, '--timestamps', ...whereOf(place)],
    ],
    alike: 'records',
    goals: () => ({ cpu: 2.5, peakMiB: 100 }),
  }),
];
