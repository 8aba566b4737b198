import type { Searched } from '../cluster/place.ts';
import { comparison } from '../measure/compare.ts';
import { type Bench, type Case, Skipped, whereOf } from './case.ts';

/** A search through a whole log, 200 MB where it can be chosen, beside kubectl and grep. */
export const GREP_CASES: readonly Case[] = [
  grep('grep literal', ({ literal }) => literal, '-F', 0.8),
  grep('grep expression', ({ expression }) => expression, '-E', 0.5),
];

/** The goal is a share of the peer's speed; the table has times. */
function grep(name: string, pattern: (searched: Searched) => string, flag: string, speed: number): Case {
  return comparison({
    name,
    logtool: (bench) => [
      ...['logs', searchedIn(bench).pod, '--all', '--previous=no', '--raw', '--force'],
      ...[`--grep=${pattern(searchedIn(bench))}`, ...whereOf(bench.place)],
    ],
    // With -a a log that holds other bytes than text is searched too.
    peer: (bench) => [
      [bench.programs.kubectl, 'logs', searchedIn(bench).pod, ...whereOf(bench.place)],
      ['grep', '-a', flag, '--', pattern(searchedIn(bench))],
    ],
    alike: 'bytes',
    goals: () => ({ wall: 1 / speed, peakMiB: 100 }),
  });
}

function searchedIn({ place }: Bench): Searched {
  if (place.searched === undefined) throw new Skipped('the last lines of the log hold no word to search for');
  return place.searched;
}
