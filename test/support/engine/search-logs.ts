import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '@logtool/logtool/src/domain/record.ts';
import { LOOKAHEAD_RECORDS } from '@logtool/logtool/src/stream/window/lookahead.ts';
import fc from 'fast-check';
import { FakeCluster, newRun } from './fake-cluster.ts';
import type { Entry } from './memory-log.ts';

/* Random logs of several containers, and what a plain rule finds in them. */

const SEED = process.env.LOGTOOL_SEED;
/** LOGTOOL_SEED repeats a run. */
export const seeded = (numRuns: number) => ({
  numRuns,
  endOnFailure: true,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
});

const START = 1_700_000_000;
const TICK_NANOS = 10_000_000;

export interface Line {
  readonly container: number;
  readonly run: number;
  readonly tick: number;
  readonly text: string;
}

export const timeOf = (tick: number) => ({
  seconds: START + Math.floor((tick * TICK_NANOS) / 1e9),
  nanos: (tick * TICK_NANOS) % 1e9,
});
export const nameOf = ({ container, tick, text }: Line) =>
  `${formatTimestamp(timeOf(tick))} pod-${container} ${text}`;
export const nameOfRecord = ({ at, run, message }: LogRecord) =>
  `${formatTimestamp(at)} ${run.target.pod} ${Buffer.from(message)}`;
export const isMatch = ({ text }: Line) => text.includes('match');

/**
 * Ticks between a line and the previous one in the file: many are equal, some lines are slightly after their
 * position.
 */
export const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: -2, max: 9 }) },
);
export const containerOf = (step: fc.Arbitrary<number>) =>
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 900, size: 'max' }),
    /** Every nth line matches. */
    every: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 20, max: 400 })),
    offset: fc.nat(30),
    /** Whether the lines differ, or are all the same. */
    isNumbered: fc.boolean(),
    /** The percentage of them that the previous run wrote. */
    before: fc.constantFrom(0, 0, 1, 50, 99),
    start: fc.nat(200),
  });
type Shape = (typeof containerOf extends (step: never) => fc.Arbitrary<infer T> ? T : never) & {
  /** How often the steps are repeated. */
  readonly repeats?: number;
};

interface Trouble {
  /** Ticks by which the clock is set back when the container restarts. */
  readonly overlap: number;
  /** Every nth line has a timestamp this many ticks late; 0 means none. */
  readonly lateEvery: number;
  readonly lateTicks: number;
}
const NO_TROUBLE: Trouble = { overlap: 0, lateEvery: 0, lateTicks: 0 };

/** Returns the tick at which each line was written. The lines before `cut` are of the previous run. */
function ticksOf(steps: readonly number[], start: number, cut: number, trouble: Trouble): readonly number[] {
  let tick = 300 + start;
  let highest = 0;
  let settled = 0;
  const ticks: number[] = [];
  for (const [n, step] of steps.entries()) {
    // Backward steps may add up; lines further from their position than that are a separate problem.
    if (trouble === NO_TROUBLE) settled = Math.max(settled, ticks[n - LOOKAHEAD_RECORDS] ?? 0);
    tick = Math.max(settled, tick + step);
    if (n === cut && cut > 0) tick = Math.max(0, highest + 1 - trouble.overlap);
    if (n < cut) highest = Math.max(highest, tick);
    else if (trouble.overlap === 0 && cut > 0) tick = Math.max(tick, highest + 1);
    ticks.push(tick);
  }
  return ticks;
}

function linesOf(shape: Shape, container: number, trouble: Trouble): Line[] {
  const { lateEvery, lateTicks } = trouble;
  const { every, offset, isNumbered, before, start, repeats = 1 } = shape;
  const steps = Array.from({ length: repeats }, () => shape.steps).flat();
  const cut = Math.floor((steps.length * before) / 100);
  return ticksOf(steps, start, cut, trouble).map((tick, n) => {
    const what = (n + offset) % every === 0 ? 'match' : 'other';
    const late = lateEvery > 0 && n % lateEvery === 1 ? lateTicks : 0;
    return { container, run: n < cut ? 0 : 1, tick: tick + late, text: isNumbered ? `${what} ${n}` : what };
  });
}

export function clusterOf(shapes: readonly Shape[], ignoresTail: boolean, trouble = NO_TROUBLE) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const lines = shapes.map((shape, index) => linesOf(shape, index, trouble));
  for (const [index, own] of lines.entries()) {
    const entry = ({ tick, text }: Line): Entry => ({
      at: timeOf(tick),
      bytes: Buffer.from(text),
      partial: false,
    });
    const runs = [newRun(`containerd://${index}-b`, own.filter(({ run }) => run === 1).map(entry))];
    const older = own.filter(({ run }) => run === 0);
    if (older.length > 0) runs.unshift(newRun(`containerd://${index}-a`, older.map(entry)));
    cluster.addContainer(cluster.addPod(`pod-${index}`), 'main', runs);
  }
  const { client } = cluster;
  const log: typeof client.log = (query, options) => client.log({ ...query, tailLines: undefined }, options);
  if (ignoresTail) Object.assign(cluster, { client: { ...client, log } });
  return { clock, cluster, lines: lines.flat() };
}

/** Sorts in the total order; lines arrive in the order of their file. */
export const inOrder = (lines: readonly Line[]) =>
  lines.toSorted((a, b) => a.tick - b.tick || a.container - b.container || a.run - b.run);

/** Returns the matches, and this many lines of the same container around each. */
export function around(
  all: readonly Line[],
  matches: readonly Line[],
  before: number,
  after: number,
): Set<Line> {
  const shown = new Set<Line>();
  for (const match of matches) {
    const own = all.filter(({ container }) => container === match.container);
    const index = own.indexOf(match);
    for (const line of own.slice(Math.max(0, index - before), index + after + 1)) shown.add(line);
  }
  return shown;
}
