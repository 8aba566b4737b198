import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import {
  clusterOf,
  containerOf,
  inOrder,
  isMatch,
  type Line,
  nameOf,
  nameOfRecord,
  STEP,
  seeded,
  timeOf,
} from '../../../../../test/support/engine/search-logs.ts';
import { covers } from '../../domain/coverage/interval.ts';
import {
  BUCKET_WIDTHS_MS,
  COUNTED_LEVELS,
  type ScanFrame,
  type ScanPosition,
} from '../../domain/coverage/scan.ts';

const shapes = fc.array(containerOf(STEP), { minLength: 1, maxLength: 4 });
const tick = fc.oneof(fc.constant(undefined), fc.integer({ min: 250, max: 3_000 }));
const order = fc.constantFrom('oldest' as const, 'newest' as const);
const NONE = COUNTED_LEVELS.indexOf('none');

const isIn = ({ tick }: Line, from: number | undefined, to: number | undefined) =>
  (from === undefined || tick >= from) && (to === undefined || tick < to);
const boundAt = (tick: number | undefined): Timestamp | undefined =>
  tick === undefined ? undefined : timeOf(tick);
const msOf = (tick: number) => timeOf(tick).seconds * 1000 + timeOf(tick).nanos / 1e6;

/** Returns lines and matches by bucket, from all frames together. */
function countsOf(
  frames: readonly ScanFrame[],
): ReadonlyMap<number, readonly [lines: number, matches: number]> {
  const known = new Map<string, readonly [fromMs: number, lines: number, matches: number]>();
  for (const frame of frames) {
    if (frame.type !== 'counts') continue;
    for (const { fromMs, lines, matches } of frame.buckets)
      known.set(`${frame.target.id} ${fromMs}`, [fromMs, lines[NONE] ?? 0, matches[NONE] ?? 0]);
  }
  const counts = new Map<number, readonly [number, number]>();
  for (const [fromMs, lines, matches] of known.values()) {
    const [allLines, allMatches] = counts.get(fromMs) ?? [0, 0];
    counts.set(fromMs, [allLines + lines, allMatches + matches]);
  }
  return counts;
}

function truthOf(lines: readonly Line[], bucketMs: number): ReadonlyMap<number, readonly [number, number]> {
  const counts = new Map<number, readonly [number, number]>();
  for (const line of inOrder(lines)) {
    const at = Math.floor(msOf(line.tick) / bucketMs) * bucketMs;
    const [all, matches] = counts.get(at) ?? [0, 0];
    counts.set(at, [all + 1, matches + Number(isMatch(line))]);
  }
  return counts;
}

const sorted = (counts: ReadonlyMap<number, readonly [number, number]>) =>
  [...counts].sort(([a], [b]) => a - b);
const hitsOf = (frames: readonly ScanFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'hits' ? frame.records : []));

test('counts and hits of a range are those that a plain rule finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      tick,
      tick,
      fc.record({ order, count: fc.integer({ min: 1, max: 40 }) }),
      fc.constantFrom(...BUCKET_WIDTHS_MS.slice(1, 6)),
      fc.integer({ min: 1, max: 4 }),
      async (containers, from, to, wanted, bucketMs, maxLogRequests) => {
        const { clock, cluster, lines } = clusterOf(containers, false);
        const frames = await scanFrames(
          { cluster, clock },
          {
            range: { from: boundAt(from), to: boundAt(to) },
            filter: { ...NO_FILTER, grep: 'match' },
            hits: wanted,
            bucketMs,
            maxLogRequests,
          },
        );
        const inside = lines.filter((line) => isIn(line, from, to));
        expect(sorted(countsOf(frames))).toEqual(sorted(truthOf(inside, bucketMs)));
        const matches = inOrder(inside).filter(isMatch);
        const expected = wanted.order === 'oldest' ? matches : matches.toReversed();
        expect(hitsOf(frames).map(nameOfRecord)).toEqual(expected.slice(0, wanted.count).map(nameOf));
        expect(frames.at(-1)).toMatchObject({
          type: 'scanned',
          lines: inside.length,
          matches: matches.length,
          stopped: undefined,
          incomplete: [],
        });
      },
    ),
    seeded(60),
  );
});

const coverageIn = (frames: readonly ScanFrame[]) => frames.filter((frame) => frame.type === 'coverage');

/** Returns where scans stopped, by container; checks that no covered range ends before it begins. */
function positionsIn(frames: readonly ScanFrame[]): ReadonlyMap<string, ScanPosition> {
  const positions = new Map<string, ScanPosition>();
  for (const { target, position, from, to } of coverageIn(frames)) {
    if (position !== undefined) positions.set(target.id, position);
    if (from !== undefined && to !== undefined) expect(compareTimestamps(from, to)).toBeLessThanOrEqual(0);
  }
  return positions;
}

/** Whether the last reported range covers a tick. */
function coversTick(frames: readonly ScanFrame[], tick: number): boolean {
  const last = coverageIn(frames).at(-1);
  if (last === undefined) throw new Error('no coverage');
  return covers([{ from: last.from, to: last.to }], { from: timeOf(tick), to: timeOf(tick + 1) });
}

test('scans that stop at a budget and continue count each line once, and cover what they counted', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, tick, fc.integer({ min: 1, max: 40 }), async (containers, from, kilobytes) => {
      const { clock, cluster, lines } = clusterOf(containers, false);
      const range = { from: boundAt(from), to: undefined };
      const inside = lines.filter((line) => isIn(line, from, undefined));
      let positions = new Map<string, ScanPosition>();
      let [total, matches] = [0, 0];
      for (let round = 0; ; round++) {
        expect(round).toBeLessThan(500);
        const frames = await scanFrames(
          { cluster, clock },
          {
            range,
            positions,
            filter: { ...NO_FILTER, grep: 'match' },
            budget: { bytes: kilobytes * 1024, ms: 3_600_000 },
          },
        );
        const end = frames.at(-1);
        if (end?.type !== 'scanned') throw new Error('no end');
        total += end.lines ?? 0;
        matches += end.matches;
        positions = new Map([...positions, ...positionsIn(frames)]);
        if (end.stopped !== undefined) continue;
        expect(end.incomplete).toEqual([]);
        const newest = inside.reduce((most, { tick }) => Math.max(most, tick), from ?? 0);
        expect(coversTick(frames, newest)).toBe(true);
        break;
      }
      expect([total, matches]).toEqual([inside.length, inside.filter(isMatch).length]);
    }),
    seeded(60),
  );
});

test('no match that a scan did not read lies before a hit that it gives, at a budget or beside a container that fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      fc.record({ order, count: fc.integer({ min: 1, max: 40 }) }),
      fc.integer({ min: 1, max: 60 }),
      fc.option(fc.nat(3), { nil: undefined }),
      fc.integer({ min: 1, max: 4 }),
      async (containers, wanted, kilobytes, failing, maxLogRequests) => {
        const { clock, cluster, lines } = clusterOf(containers, false);
        cluster.nextFault = ({ pod }) =>
          pod === `pod-${failing}` ? { kind: 'status', status: 403 } : undefined;
        const hasFailing = failing !== undefined && failing < containers.length;
        const frames = await scanFrames(
          { cluster, clock },
          {
            filter: { ...NO_FILTER, grep: 'match' },
            hits: wanted,
            bucketMs: undefined,
            maxLogRequests,
            budget: { bytes: kilobytes * 1024, ms: 3_600_000 },
          },
        );
        const matches = inOrder(lines).filter(isMatch);
        const expected = wanted.order === 'oldest' ? matches : matches.toReversed();
        const hits = hitsOf(frames).map(nameOfRecord);
        expect(hits).toEqual(expected.slice(0, hits.length).map(nameOf));
        const end = frames.at(-1);
        if (end?.type !== 'scanned') throw new Error('no end');
        if (hasFailing) expect(hits).toEqual([]);
        if (hasFailing && end.stopped === 'unreadable')
          expect(end.failed.map(({ pod }) => pod)).toEqual([`pod-${failing}`]);
        if (end.stopped === undefined) expect(hits).toHaveLength(Math.min(wanted.count, matches.length));
      },
    ),
    seeded(80),
  );
});

test('a container that is left out holds nothing up', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      fc.record({ order, count: fc.integer({ min: 1, max: 40 }) }),
      async (containers, wanted) => {
        const { clock, cluster, lines } = clusterOf(containers, false);
        cluster.nextFault = ({ pod }) => (pod === 'pod-0' ? { kind: 'status', status: 403 } : undefined);
        const plan = { filter: { ...NO_FILTER, grep: 'match' }, hits: wanted, bucketMs: undefined };
        const found = await scanFrames({ cluster, clock }, plan);
        const [first] = found.flatMap((frame) => (frame.type === 'scanned' ? frame.failed : []));
        const frames = await scanFrames({ cluster, clock }, { ...plan, without: new Set([first?.id ?? '']) });
        const matches = inOrder(lines.filter(({ container }) => container !== 0)).filter(isMatch);
        const expected = wanted.order === 'oldest' ? matches : matches.toReversed();
        expect(hitsOf(frames).map(nameOfRecord)).toEqual(expected.slice(0, wanted.count).map(nameOf));
      },
    ),
    seeded(30),
  );
});
