import type { Place } from '../cluster/place.ts';
import { comparison } from '../measure/compare.ts';
import { type Case, whereOf } from './case.ts';

/** A search through a whole log, 200 MB where it can be chosen, beside kubectl and grep. */
export const GREP_CASES: readonly Case[] = [
  grep('grep literal', ({ searched }) => searched.literal, '-F', 0.8),
  grep('grep expression', ({ searched }) => searched.expression, '-E', 0.5),
];

/** The goal is a share of the peer's speed; the table has times. */
function grep(name: string, pattern: (place: Place) => string, flag: string, speed: number): Case {
  return comparison({
    name,
    logtool: ({ place }) => [
      ...['logs', place.searched.pod, '--all', '--previous=no', '--raw', '--force'],
      ...[`--grep=${pattern(place)}`, ...whereOf(place)],
    ],
    peer: ({ place, programs }) => [
      [programs.kubectl, 'logs', place.searched.pod, ...whereOf(place)],
      ['grep', flag, '--', pattern(place)],
    ],
    alike: 'bytes',
    goals: () => ({ wall: 1 / speed, peakMiB: 100 }),
  });
}
