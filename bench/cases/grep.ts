import { EXPRESSION, LITERAL } from '../cluster/write-logs.ts';
import { comparison } from '../measure/compare.ts';
import { type Case, whereOf } from './case.ts';

/** The goals are shares of the peer's speed; the table has times. */
const timeAt = (share: number) => 1 / share;

/** A search through a whole log, 200 MB where it can be chosen. */
export const GREP_CASES: readonly Case[] = [
  grep('grep literal', LITERAL, ['grep', '-F'], 0.8),
  grep('grep expression', EXPRESSION, ['grep', '-E'], 0.5),
];

function grep(name: string, pattern: string, program: readonly string[], speed: number): Case {
  return comparison({
    name,
    logtool: ({ place }) => [
      ...['logs', place.searched, '--all', '--previous=no', '--raw', '--force'],
      ...[`--grep=${patternIn(place.simulated === undefined, pattern)}`, ...whereOf(place)],
    ],
    peer: ({ place, programs }) => [
      [programs.kubectl, 'logs', place.searched, ...whereOf(place)],
      [...program, patternIn(place.simulated === undefined, pattern)],
    ],
    alike: 'bytes',
    goals: () => ({ wall: timeAt(speed), peakMiB: 100 }),
  });
}

/** What a log of somebody else may hold; a pattern that matches nothing is measured as well as another. */
function patternIn(isForeign: boolean, pattern: string): string {
  return isForeign ? 'error' : pattern;
}
