import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import type { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import {
  clusterOf,
  containerOf,
  inOrder,
  type Line,
  nameOf,
  nameOfRecord,
  STEP,
  seeded,
  timeOf,
} from '../../../../../test/support/engine/search-logs.ts';
import type { Frame } from '../../domain/frame.ts';
import type { Window } from '../../domain/window.ts';

/* Windows that do not wait for containers that answer late or never. LOGTOOL_SEED replays one. */

const PATIENCE_MS = 1_000;
const NEVER_MS = 10_000_000;
const ANSWERS_ONCE = { numRuns: 1, endOnFailure: true, seed: 1354941183, path: '49' };

const VIEW = fc.record({
  shapes: fc.array(containerOf(STEP), { minLength: 1, maxLength: 4 }),
  /** Time until each container answers, ms. */
  answers: fc.array(fc.constantFrom(0, 0, 400, 1_500, 4_000, NEVER_MS), { minLength: 4, maxLength: 4 }),
  count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 })),
} as const);

/** Delays the answer to each log request by its container's time, until all are released. */
function delayed(cluster: FakeCluster, answers: readonly number[]): void {
  cluster.nextFault = ({ pod }) => {
    const delayMs = answers[Number(pod.replace('pod-', ''))] ?? 0;
    return delayMs === 0 ? undefined : { kind: 'delay', delayMs };
  };
}

function podsOf(frames: readonly Frame[], type: 'unanswered' | 'answered'): string[] {
  return frames.flatMap((frame) => (frame.type === type ? frame.targets.map(({ pod }) => pod) : []));
}

/**
 * Returns the containers that were reported late and have not been reported as answered since: a second read may be
 * late again.
 */
function silentPods(frames: readonly Frame[]): string[] {
  const silent = new Set<string>();
  for (const frame of frames) {
    for (const pod of podsOf([frame], 'unanswered')) silent.add(pod);
    for (const pod of podsOf([frame], 'answered')) silent.delete(pod);
  }
  return [...silent];
}

function isFrom(line: Line, start: ReturnType<typeof timeOf>): boolean {
  const at = timeOf(line.tick);
  return at.seconds - start.seconds > 0 || (at.seconds === start.seconds && at.nanos >= start.nanos);
}

const podOf = ({ container }: Line) => `pod-${container}`;

/** A container with a few lines, whose first one comes this many ticks after the others' first. */
const counting = (start: number) => ({
  steps: [1, 1, 1],
  every: 1,
  offset: 0,
  isNumbered: true,
  before: 0 as const,
  start,
});

test('a followed tail begins without late containers, and has all of their records from its start on', async () => {
  await fc.assert(
    fc.asyncProperty(VIEW, async ({ shapes, answers, count }) => {
      // A follow cannot distinguish lines with the same time and text.
      const numbered = shapes.map((shape) => ({ ...shape, isNumbered: true }));
      const { clock, cluster, lines } = clusterOf(numbered, false);
      delayed(cluster, answers);
      const plan = planOf(
        { selection: { kind: 'tail', count }, follow: true },
        { cursors: true, patienceMs: PATIENCE_MS },
      );
      const view = new LiveView(cluster, clock, plan);
      await view.pass(60_000, 500);
      const end = view.frames.find(({ type }) => type === 'end');
      const silent = silentPods(view.frames);
      const never = shapes.flatMap((_, index) => (answers[index] === NEVER_MS ? [`pod-${index}`] : []));
      expect(silent.toSorted()).toEqual(never);
      if (end?.type !== 'end') {
        expect(never).toHaveLength(shapes.length);
        await view.close();
        return;
      }
      const late = silentPods(view.frames.slice(0, view.frames.indexOf(end)));
      const shown = view.records.map(nameOfRecord).toSorted();
      if (late.length === 0) expect(shown).toEqual(inOrder(lines).slice(-count).map(nameOf).toSorted());
      else {
        // From the start on, the answered containers lack nothing, whenever they answered, and nothing comes twice.
        expect(end).toMatchObject({ cut: true, prev: { shown: 0 } });
        const begin = end.prev!.at;
        const expected = lines.filter((line) => isFrom(line, begin) && !silent.includes(podOf(line)));
        expect(shown).toEqual(expected.map(nameOf).toSorted());
      }
      await view.close();
    }),
    seeded(80),
  );
}, 120_000);

test.each([
  { which: 'at random', runs: seeded(80) },
  { which: 'where one answers once, and is late when more of it is asked for', runs: ANSWERS_ONCE },
])(
  'a tail that ends has the last records of those that answered in time: $which',
  async ({ runs }) => {
    await fc.assert(
      fc.asyncProperty(VIEW, fc.boolean(), async ({ shapes, answers, count }, isInTurns) => {
        const { clock, cluster, lines } = clusterOf(shapes, false);
        // One of them answers: otherwise nothing could be shown, and the window would wait for all. The turn of others
        // may never come.
        const own = answers.map((ms, index) => (index === 0 ? 0 : isInTurns && ms === NEVER_MS ? 6_000 : ms));
        delayed(cluster, own);
        const plan = planOf(
          { selection: { kind: 'tail', count } },
          { cursors: true, patienceMs: PATIENCE_MS, maxLogRequests: isInTurns ? 2 : 100 },
        );
        const frames = await collect(cluster, clock, plan);
        const silent = silentPods(frames);
        const read = inOrder(lines).filter((line) => !silent.includes(podOf(line)));
        const expected = read.slice(-count);
        const leftOut = read.at(-count - 1);
        const tied = silent.length > 0 && leftOut !== undefined && leftOut.tick === expected[0]?.tick;
        const shown = tied ? expected.filter(({ tick }) => tick !== leftOut.tick) : expected;
        expect(recordsOf(frames).map(nameOfRecord)).toEqual(shown.map(nameOf));
        const end = frames.at(-1);
        if (silent.length > 0 && end?.type === 'end')
          expect(end).toMatchObject({ cut: true, prev: { at: timeOf(shown[0]!.tick), shown: 0 } });
      }),
      runs,
    );
  },
  120_000,
);

test('a head has the first records of those that answered in time, and ends between two times', async () => {
  let lateCases = 0;
  await fc.assert(
    fc.asyncProperty(VIEW, fc.boolean(), async ({ shapes, answers, count }, isInTurns) => {
      const { clock, cluster, lines } = clusterOf(shapes, false);
      // The turn of others may never come.
      const own = answers.map((ms, index) => (index === 0 ? 0 : isInTurns && ms === NEVER_MS ? 6_000 : ms));
      delayed(cluster, own);
      const plan = planOf(
        { selection: { kind: 'head', count }, from: { kind: 'inclusive', at: timeOf(0) } },
        { cursors: true, patienceMs: PATIENCE_MS, maxLogRequests: isInTurns ? 2 : 100 },
      );
      const frames = await collect(cluster, clock, plan);
      const silent = silentPods(frames);
      if (silent.length > 0) lateCases++;
      const read = inOrder(lines).filter((line) => !silent.includes(podOf(line)));
      const inside = read.filter((line) => isFrom(line, timeOf(0)));
      const last = inside[Math.min(count, inside.length) - 1];
      const isShown = ({ tick }: Line, index: number) =>
        index < count || (silent.length > 0 && tick === last?.tick);
      const shown = inside.filter(isShown);
      expect(recordsOf(frames).map(nameOfRecord)).toEqual(shown.map(nameOf));
      const end = frames.at(-1);
      if (end?.type !== 'end') throw new Error('no end came');
      expect(end.cut).toBe(shown.length < inside.length);
      if (silent.length === 0 || !end.cut) return;
      expect(end.next?.shown).toBe(0);
      const nextLine = inside[shown.length]!;
      expect(compareTimestamps(end.next!.at, timeOf(last!.tick))).toBeGreaterThan(0);
      expect(compareTimestamps(end.next!.at, timeOf(nextLine.tick))).toBeLessThanOrEqual(0);
    }),
    seeded(80),
  );
  expect(lateCases).toBeGreaterThan(0);
}, 120_000);

test('a head ends without a late container also if the others have no record', async () => {
  const { clock, cluster, lines } = clusterOf([0, 0].map(counting), false);
  delayed(cluster, [0, NEVER_MS]);
  const lastTick = Math.max(...lines.map(({ tick }) => tick));
  const from = { kind: 'inclusive', at: timeOf(lastTick + 1) } as const;
  const plan = planOf(
    { selection: { kind: 'head', count: 10 }, from },
    { cursors: true, patienceMs: PATIENCE_MS },
  );
  const frames = await collect(cluster, clock, plan);
  expect(silentPods(frames)).toEqual(['pod-1']);
  expect(frames.at(-1)).toMatchObject({ type: 'end', cut: false });
});

test('a head that is read in turns begins without one that never answers', async () => {
  const shapes = [0, 1, 2].map(counting);
  const { clock, cluster, lines } = clusterOf(shapes, false);
  delayed(cluster, [0, NEVER_MS, 0]);
  const frames = await collect(
    cluster,
    clock,
    planOf(
      { selection: { kind: 'head', count: 10 } },
      { cursors: true, patienceMs: PATIENCE_MS, maxLogRequests: 2 },
    ),
  );
  // The file takes real time: the turn of another container may come too late.
  const silent = silentPods(frames);
  expect(silent).toContain('pod-1');
  const read = inOrder(lines).filter((line) => !silent.includes(podOf(line)));
  expect(read).not.toEqual([]);
  expect(recordsOf(frames).map(nameOfRecord)).toEqual(read.map(nameOf));
});

const pageOf = (kind: 'tail' | 'head', count: number, bound: Window['from']) => ({
  selection: { kind, count },
  ...(kind === 'tail' ? { to: bound } : { from: bound }),
});

/** Returns where the next page starts; undefined: there is none. */
function nextCursor(frames: readonly Frame[], kind: 'tail' | 'head') {
  const end = frames.at(-1);
  if (end?.type !== 'end') throw new Error('the window has no end');
  const cursor = kind === 'tail' ? end.prev : end.next;
  expect(end.cut).toBe(cursor !== undefined);
  return cursor;
}

test('pages without some containers have each record of the others once, and end between two times', async () => {
  await fc.assert(
    fc.asyncProperty(
      VIEW,
      fc.constantFrom('tail' as const, 'head' as const),
      async ({ shapes, count }, kind) => {
        fc.pre(shapes.length > 1);
        const { clock, cluster, lines } = clusterOf(shapes, false);
        const ids = cluster.targets().flatMap(({ pod, id }) => (pod === 'pod-1' ? [id] : []));
        expect(ids).toHaveLength(1);
        const without = new Set(ids);
        const wanted = inOrder(lines).filter((line) => podOf(line) !== 'pod-1');
        const read: string[] = [];
        let bound: Window['from'];
        for (let page = 0; page <= wanted.length; page++) {
          const window = pageOf(kind, count, bound);
          const plan = planOf(window, { cursors: true, without, maxLogRequests: 100 });
          const frames = await collect(cluster, clock, plan);
          const records = recordsOf(frames).map(nameOfRecord);
          if (kind === 'tail') read.unshift(...records);
          else read.push(...records);
          const cursor = nextCursor(frames, kind);
          if (cursor === undefined) break;
          expect(cursor.shown).toBe(0);
          // More records of one time than a page may have.
          if (records.length === 0) return;
          bound = { kind: 'cursor', cursor };
        }
        expect(read).toEqual(wanted.map(nameOf));
      },
    ),
    seeded(60),
  );
});

test('without patience every container is waited for, and none is reported', async () => {
  const shapes = [0, 1].map(counting);
  const { clock, cluster, lines } = clusterOf(shapes, false);
  delayed(cluster, [0, 60_000]);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 10 } }));
  expect(recordsOf(frames)).toHaveLength(lines.length);
  expect(podsOf(frames, 'unanswered')).toEqual([]);
});
