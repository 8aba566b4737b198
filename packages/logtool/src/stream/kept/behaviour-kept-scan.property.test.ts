import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { SCAN_PLAN, scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import {
  clusterOf,
  containerOf,
  nameOfRecord,
  STEP,
  seeded,
  timeOf,
} from '../../../../../test/support/engine/search-logs.ts';
import { BUCKET_WIDTHS_MS, type ScanFrame, type ScanPosition } from '../../domain/coverage/scan.ts';
import type { ScanPlan } from '../scan/scan-logs.ts';
import { KeptScans } from './kept-scans.ts';

const OWNER = { session: 's', context: 'c' };
type Cluster = ReturnType<typeof clusterOf>;

const scan = (cluster: Cluster, plan: Partial<ScanPlan>, kept: KeptScans | undefined) =>
  scanFrames(cluster, plan, kept?.begin(OWNER));

const textOf = (at: Timestamp | undefined) => at && formatTimestamp(at);

/** Returns lines and matches by container, bucket and level, from all frames together. */
function countsOf(frames: readonly ScanFrame[]): ReadonlyMap<string, readonly number[]> {
  const known = new Map<string, readonly number[]>();
  for (const frame of frames) {
    if (frame.type !== 'counts') continue;
    for (const { fromMs, lines, matches } of frame.buckets)
      known.set(`${frame.target.id} ${frame.bucketMs} ${fromMs}`, [...lines, ...matches]);
  }
  return known;
}

/** Collects what the frames report together; a range without an end ends at the time of the read. */
function factsOf(frames: readonly ScanFrame[], plan: Partial<ScanPlan>) {
  const covered = frames.flatMap((frame) => {
    if (frame.type !== 'coverage') return [];
    const { target, from, to, position } = frame;
    const end = plan.range?.to === undefined ? undefined : textOf(to);
    return [[target.id, textOf(from), end, textOf(position?.at), position?.shown] as const];
  });
  return {
    counts: [...countsOf(frames)].sort(),
    hits: frames.flatMap((frame) => (frame.type === 'hits' ? frame.records.map(nameOfRecord) : [])),
    covered: [...new Map(covered.map((one) => [one[0], one])).values()].sort(),
    end: frames.at(-1),
    others: frames.filter(({ type }) => type === 'gap' || type === 'notice' || type === 'source'),
  };
}

/** Returns the frames' estimates of how much they will read: one number, or undefined. */
function estimatesOf(frames: readonly ScanFrame[]): readonly (number | undefined)[] {
  return [...new Set(frames.flatMap((frame) => (frame.type === 'scanning' ? [frame.bytesEstimated] : [])))];
}

/** Scans with a budget, each from where the previous one stopped, until everything is read. */
async function scanOn(cluster: Cluster, plan: Partial<ScanPlan>, kept: KeptScans | undefined) {
  let [lines, matches] = [0, 0];
  const counts = new Map<string, readonly number[]>();
  const positions = new Map<string, ScanPosition>();
  for (let round = 0; ; round++) {
    expect(round).toBeLessThan(500);
    const frames = await scan(cluster, { ...plan, positions: new Map(positions) }, kept);
    for (const [key, now] of countsOf(frames)) {
      const before = counts.get(key) ?? now.map(() => 0);
      counts.set(
        key,
        now.map((count, index) => count + (before[index] ?? 0)),
      );
    }
    for (const frame of frames)
      if (frame.type === 'coverage' && frame.position !== undefined)
        positions.set(frame.target.id, frame.position);
    const end = frames.at(-1);
    if (end?.type !== 'scanned') throw new Error('no end');
    lines += end.lines ?? 0;
    matches += end.matches;
    if (end.stopped !== undefined) continue;
    expect(end.incomplete).toEqual([]);
    return { lines, matches, counts: [...counts].sort() };
  }
}

const shapes = fc.array(containerOf(STEP), { minLength: 1, maxLength: 4 });
const bound = fc
  .oneof(fc.constant(undefined), fc.integer({ min: 250, max: 3_000 }))
  .map((tick) => (tick === undefined ? undefined : timeOf(tick)));
const searchOf = (text: string) => ({
  search: { search: { text, matchCase: false, wholeWord: false, regex: false }, fields: [] },
});
const filter = fc.constantFrom<Partial<ScanPlan>>(
  {},
  { filter: { ...NO_FILTER, grep: 'match' } },
  { filter: { ...NO_FILTER, grep: 'MATCH .*1', ignoreCase: true } },
  { filter: { ...NO_FILTER, exclude: ['7$'] } },
  { filter: { ...NO_FILTER, levels: ['error'] } },
  searchOf('Match 1'),
  searchOf('-match'),
  searchOf('@level:none 2'),
  { filter: { ...NO_FILTER, grep: 'o' }, ...searchOf('3') },
);
const plan: fc.Arbitrary<Partial<ScanPlan>> = fc
  .record({
    range: fc.record({ from: bound, to: bound }),
    bucketMs: fc.constantFrom(undefined, ...BUCKET_WIDTHS_MS.slice(1, 6)),
    hits: fc.option(
      fc.record({
        order: fc.constantFrom('oldest' as const, 'newest' as const),
        count: fc.integer({ min: 1, max: 40 }),
      }),
      { nil: undefined },
    ),
    maxLogRequests: fc.integer({ min: 1, max: 4 }),
    filter,
  })
  .map(({ filter: own, ...rest }) => ({ ...rest, ...own }));
/**
 * Whether a scan reads everything. One that only wants hits stops when it has them, which depends on its batch size.
 */
const isWhole = ({ bucketMs, hits }: Partial<ScanPlan>) => bucketMs !== undefined || hits === undefined;

/** Compares what a scan that uses kept records reports with what one without them reports. */
function expectSame(
  using: readonly ScanFrame[],
  without: readonly ScanFrame[],
  plan: Partial<ScanPlan>,
): void {
  const [found, expected] = [factsOf(using, plan), factsOf(without, plan)];
  if (isWhole(plan)) expect(found).toEqual(expected);
  else expect(found.hits).toEqual(expected.hits);
}

/** Checks estimates of scans over a range that begins with the log; of an empty range it is known that nothing is read. */
function checkEstimates(using: readonly ScanFrame[], without: readonly ScanFrame[], isExact: boolean): void {
  expect(estimatesOf(without)).toEqual([undefined]);
  const end = using.at(-1);
  // For blocks that lie completely in the range, the estimate is exact.
  if (end?.type === 'scanned' && end.stopped === undefined)
    expect(estimatesOf(using)).toEqual([isExact ? end.bytes : expect.any(Number)]);
}

test('scans say the same with what scans before them have kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      fc.array(fc.tuple(plan, fc.option(fc.integer({ min: 1, max: 40 }))), { minLength: 2, maxLength: 5 }),
      async (containers, steps) => {
        const cluster = clusterOf(containers, false);
        const kept = new KeptScans(new FakeClock());
        for (const [own, kilobytes] of steps) {
          if (kilobytes === null) {
            const [without, using] = [await scan(cluster, own, undefined), await scan(cluster, own, kept)];
            expectSame(using, without, own);
          } else {
            const limited = { ...own, hits: undefined, budget: { bytes: kilobytes * 1024, ms: 3_600_000 } };
            expect(await scanOn(cluster, limited, kept)).toEqual(await scanOn(cluster, limited, undefined));
          }
        }
        kept.close();
      },
    ),
    seeded(60),
  );
});

test('what was read is asked for no more, even when the node has it no more', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      plan,
      fc.array(plan, { minLength: 1, maxLength: 4 }),
      async (containers, first, steps) => {
        const [cluster, whole] = [clusterOf(containers, false), clusterOf(containers, false)];
        const kept = new KeptScans(new FakeClock());
        await scan(cluster, { ...first, range: SCAN_PLAN.range, hits: undefined }, kept);
        const asked = cluster.cluster.queries.length;
        const settled = cluster.clock.now() - 60_000;
        for (const pod of cluster.cluster.pods.values())
          for (const container of pod.containers) cluster.cluster.rotate(container);
        for (const own of steps) {
          // After that time, something may still be written.
          const to = own.range?.to ?? timeOf(100_000);
          expect(to.seconds * 1000).toBeLessThan(settled);
          const ended = { ...own, range: { from: own.range?.from, to } };
          const [without, using] = [await scan(whole, ended, undefined), await scan(cluster, ended, kept)];
          expectSame(using, without, ended);
          if (ended.range.from === undefined) checkEstimates(using, without, own.range?.to === undefined);
        }
        expect(cluster.cluster.queries.length).toBe(asked);
        kept.close();
      },
    ),
    seeded(60),
  );
});
