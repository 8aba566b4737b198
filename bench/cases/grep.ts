import type { Searched } from '../cluster/open-cluster.ts';
import { comparison } from '../measure/compare.ts';
import { type Bench, type Case, Skipped, whereOf } from './case.ts';

/**
 * Searches a whole log (200 MB in the simulated cluster) and finds the last matches, compared with kubectl and grep.
 */
export const GREP_CASES: readonly Case[] = [
  grep('grep literal', ({ literal }) => literal, '-F', 0.8),
  grep('grep expression', ({ expression }) => expression, '-E', 0.5),
  comparison({
    // The typical first search: the last ten lines with a rare word, in 160 MB in the simulated cluster.
    name: 'grep last 10',
    logtool: (bench) => [
      'logs',
      bench.cluster.pod,
      '--previous=no',
      '--raw',
      '--force',
      `--grep=${searchedIn(bench).rare}`,
      ...whereOf(bench.cluster),
    ],
    peer: (bench) => [
      [bench.programs.kubectl, 'logs', bench.cluster.pod, ...whereOf(bench.cluster)],
      ['grep', '-a', '-F', '--', searchedIn(bench).rare],
      ['tail'],
    ],
    alike: 'bytes',
    goals: () => ({ wall: 1 / 0.8, peakMiB: 100 }),
  }),
];

/** `speed`: the goal as a share of the peer's speed; the table shows times. */
function grep(name: string, pattern: (searched: Searched) => string, flag: string, speed: number): Case {
  return comparison({
    name,
    logtool: (bench) => [
      'logs',
      searchedIn(bench).pod,
      '--all',
      '--previous=no',
      '--raw',
      '--force',
      `--grep=${pattern(searchedIn(bench))}`,
      ...whereOf(bench.cluster),
    ],
    // With -a, grep also searches a log that contains binary data.
    peer: (bench) => [
      [bench.programs.kubectl, 'logs', searchedIn(bench).pod, ...whereOf(bench.cluster)],
      ['grep', '-a', flag, '--', pattern(searchedIn(bench))],
    ],
    alike: 'bytes',
    goals: () => ({ wall: 1 / speed, peakMiB: 100 }),
  });
}

function searchedIn({ cluster }: Bench): Searched {
  if (cluster.searched === undefined)
    throw new Skipped('the last lines of the log hold no word to search for');
  return cluster.searched;
}
