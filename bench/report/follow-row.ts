import type { Follower } from '../cluster/scenario.ts';
import type { ProcessUse } from '../measure/process-file.ts';
import { type Cell, MIB, percentile, type Row, WRONG } from './row.ts';

const PEAK_GOAL_MIB = 100;
/** Goals for lines to merge with those of other containers, and for lines of a single container. */
export const SEVERAL_GOALS: LatencyGoals = { medianMs: 30, p99Ms: 300 };
export const LONE_GOALS: LatencyGoals = { medianMs: 5, p99Ms: 300 };
/** Memory counts as flat if its maximum in the last third is at most this multiple of that in the second third. */
const FLAT = 1.1;
/** The report shows every fifth of the samples, one a second. */
const EVERY = 5;

export interface LatencyGoals {
  readonly medianMs: number;
  readonly p99Ms: number;
}

export interface FollowedFor {
  readonly who: Follower;
  /** After the start, before the first line is written. */
  readonly begin: ProcessUse;
  /** One sample a second. */
  readonly uses: readonly ProcessUse[];
  readonly end: ProcessUse;
  readonly lines: number;
  /** The number of written lines; undefined if other programs write them. */
  readonly expected: number | undefined;
  readonly seconds: number;
}

/** Reports the CPU time and memory of a program that followed. */
export function followRow({ who, begin, uses, end, lines, expected, seconds }: FollowedFor): Row {
  const mebibytes = (bytes: number) => Math.round(bytes / MIB);
  const resident = uses.map(({ residentBytes }) => residentBytes);
  const third = Math.floor(resident.length / 3);
  const growth = Math.max(...resident.slice(2 * third)) / Math.max(...resident.slice(third, 2 * third));
  const series = resident.filter((_, index) => index % EVERY === EVERY - 1).map(mebibytes);
  const isJudged = who !== 'kubectl';
  const cells: Cell[] = [
    {
      column: 'cpu',
      text: `${Math.round((end.cpuMs - begin.cpuMs) / seconds / 10)} % of a core`,
      isMet: undefined,
    },
    {
      column: 'peak',
      text: `${mebibytes(end.peakBytes)} MiB${isJudged ? ` (goal ${PEAK_GOAL_MIB})` : ''}`,
      isMet: isJudged ? end.peakBytes / MIB <= PEAK_GOAL_MIB : undefined,
    },
    {
      column: 'other',
      name: 'flat memory',
      text: `resident every ${EVERY} s: ${series.join(' ')} MiB; last third / second third = ${growth.toFixed(2)}${isJudged ? ` (goal ${FLAT})` : ''}`,
      isMet: isJudged && third > 0 ? growth <= FLAT : undefined,
    },
  ];
  const rate = `${Math.round(lines / seconds).toLocaleString('en')} lines/s for ${seconds} s`;
  const note =
    expected === undefined
      ? rate
      : lines === expected
        ? `all ${lines.toLocaleString('en')} lines (${rate})`
        : `${WRONG}: ${lines} lines of ${expected}`;
  return { who, cells, note };
}

/** Reports the delay of lines. `goals`: undefined for a program without goals. */
export function latencyCells(lateMs: readonly number[], goals: LatencyGoals | undefined): readonly Cell[] {
  const figure = (name: string, value: number, goal: number | undefined): Cell => ({
    column: 'other',
    name,
    text: `${name} ${Math.round(value)} ms${goal === undefined ? '' : ` (goal ${goal})`}`,
    isMet: goal === undefined ? undefined : value <= goal,
  });
  return [
    figure('median', percentile(lateMs, 0.5), goals?.medianMs),
    figure('p99', percentile(lateMs, 0.99), goals?.p99Ms),
  ];
}
