import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, drive, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import {
  around,
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
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import { withContext } from '../match/context-lines.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { readContainerTail } from './container-tail.ts';
import { KEEP_ALL, type KeepPlan, LEFT_OUT } from './tail-keeper.ts';

/* Searches back, compared with a simple rule over all written lines. LOGTOOL_SEED replays one. */

const CONTEXT = fc.oneof(fc.constantFrom(0, 1, 5), fc.nat(90));
const SEARCH = fc.record({
  shapes: fc.array(containerOf(STEP), { minLength: 1, maxLength: 4 }),
  count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 })),
  beforeContext: CONTEXT,
  afterContext: CONTEXT,
  from: fc.option(fc.nat(3000), { nil: undefined }),
  to: fc.option(fc.nat(4000), { nil: undefined }),
  isStrict: fc.boolean(),
  previous: fc.constantFrom('auto', 'no', 'only'),
  maxLogRequests: fc.constantFrom(1, 2, 100),
  ignoresTail: fc.boolean(),
  isFiltered: fc.boolean(),
  chunkBytes: fc.constantFrom(64, 1000, 65_536),
} as const);

type Search = typeof SEARCH extends fc.Arbitrary<infer T> ? T : never;

/** Returns the lines of the searched runs and range, in order. */
function insideOf(lines: readonly Line[], { previous, from, to, isStrict }: Search): readonly Line[] {
  const hasOlder = new Set(lines.filter(({ run }) => run === 0).map(({ container }) => container));
  const isOfRuns = ({ container, run }: Line) =>
    previous === 'auto' || (previous === 'no' ? run !== 0 : run !== 1 && hasOlder.has(container));
  const isAfter = ({ tick }: Line) => from === undefined || (isStrict ? tick > from : tick >= from);
  const isBefore = ({ tick }: Line) => to === undefined || (isStrict ? tick < to : tick <= to);
  return inOrder(lines).filter((line) => isOfRuns(line) && isAfter(line) && isBefore(line));
}

test('a search back shows the last matches and the lines around them', async () => {
  await fc.assert(
    fc.asyncProperty(SEARCH, async (search) => {
      const { shapes, count, from, to, isStrict, previous, maxLogRequests, ignoresTail } = search;
      const { clock, cluster, lines } = clusterOf(shapes, ignoresTail);
      cluster.chunkBytes = () => search.chunkBytes;
      const boundAt = (tick: number | undefined): Bound | undefined =>
        tick === undefined ? undefined : { kind: isStrict ? 'strict' : 'inclusive', at: timeOf(tick) };
      const { beforeContext, afterContext } = search.isFiltered ? search : NO_FILTER;
      const filter = search.isFiltered
        ? { ...NO_FILTER, grep: 'match', beforeContext, afterContext }
        : NO_FILTER;
      const window = {
        selection: { kind: 'tail', count },
        from: boundAt(from),
        to: boundAt(to),
        previous,
      } as const;
      const inside = insideOf(lines, search);
      const matches = inside.filter((line) => !search.isFiltered || isMatch(line)).slice(-count);
      const shown = around(inside, matches, beforeContext, afterContext);
      const expected = inside.filter((line) => shown.has(line)).map(nameOf);
      // Pages have no lines around matches.
      for (const cursors of beforeContext + afterContext > 0 ? [false] : [false, true]) {
        const frames = await collect(cluster, clock, planOf(window, { filter, maxLogRequests, cursors }));
        expect(recordsOf(frames).map(nameOfRecord), `cursors ${cursors}`).toEqual(expected);
      }
    }),
    seeded(250),
  );
}, 120_000);

test('pages back show every match once, and what a plain rule shows', async () => {
  await fc.assert(
    fc.asyncProperty(SEARCH, fc.boolean(), async (search, isSmall) => {
      const { shapes, ignoresTail, maxLogRequests } = search;
      const { clock, cluster, lines } = clusterOf(
        isSmall ? shapes.map((one) => ({ ...one, steps: one.steps.slice(0, 60) })) : shapes,
        ignoresTail,
      );
      const all = inOrder(lines);
      const count = isSmall ? search.count : Math.max(20, search.count);
      const filter = { ...NO_FILTER, grep: 'match' };
      const plan: Partial<EnginePlan> = { filter, maxLogRequests, cursors: true };
      let to: Bound | undefined;
      let end = all.length;
      for (let page = 0; page < 12; page++) {
        const window = { selection: { kind: 'tail', count }, to } as const;
        const frames = await collect(cluster, clock, planOf(window, plan));
        const inside = all.slice(0, end);
        const matches = inside.filter(isMatch).slice(-count);
        expect(recordsOf(frames).map(nameOfRecord), `page ${page}`).toEqual(matches.map(nameOf));
        const last = frames.findLast(({ type }) => type === 'end');
        const prev = last?.type === 'end' ? last.prev : undefined;
        const hasMore = inside.filter(isMatch).length > matches.length;
        expect(prev !== undefined, `page ${page} has one before it`).toBe(hasMore);
        if (prev === undefined) return;
        to = { kind: 'cursor', cursor: prev };
        end = all.indexOf(matches[0]!);
        const { tick } = all[end]!;
        expect(prev).toEqual({ at: timeOf(tick), shown: end - all.findIndex((line) => line.tick === tick) });
      }
    }),
    seeded(100),
  );
}, 120_000);

const KEPT = fc.record({
  container: containerOf(
    fc.oneof(
      { weight: 200, arbitrary: STEP },
      { weight: 1, arbitrary: fc.integer({ min: -900, max: -100 }) },
      { weight: 1, arbitrary: fc.integer({ min: 100, max: 900 }) },
    ),
  ),
  most: fc.integer({ min: 1, max: 12 }),
  want: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(5000)),
  // Only pages count records with equal times, and they have no lines around matches.
  counted: fc.oneof(
    fc.record({ at: fc.constant('nowhere' as const), before: CONTEXT, after: CONTEXT }),
    fc.record({
      at: fc.oneof(fc.constant('everywhere' as const), fc.nat(3000)),
      before: fc.constant(0),
      after: fc.constant(0),
    }),
  ),
  isTallied: fc.boolean(),
  trouble: fc.record({
    overlap: fc.constantFrom(0, 0, 3, 400),
    lateEvery: fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 90 })),
    lateTicks: fc.integer({ min: 1, max: 5000 }),
  }),
  ignoresTail: fc.boolean(),
} as const);
type Kept = typeof KEPT extends fc.Arbitrary<infer T> ? T : never;

const hasMatch = ({ message }: LogRecord) => Buffer.from(message).includes('match');

const countedTime = ({ counted: { at } }: Kept) => (typeof at === 'number' ? timeOf(at) : at);

function keepOf(search: Kept): KeepPlan {
  const { at, before, after } = search.counted;
  return {
    matches: hasMatch,
    maxMatches: search.most,
    before,
    after,
    timesOnly: false,
    isSparse: at === 'nowhere' || search.isTallied,
    tally: at === 'nowhere' ? undefined : [],
    countedAt: countedTime(search),
  };
}

/** Reads a container's tail, keeping only what the plan says, and returns what a search shows of it. */
async function foundIn(cluster: ReturnType<typeof clusterOf>, keep: KeepPlan, search: Kept) {
  const { most, want, counted } = search;
  const [target] = cluster.cluster.targets();
  const context: ReadContext = {
    client: cluster.cluster.client,
    clock: cluster.clock,
    signal: new AbortController().signal,
    resolvedAtMs: cluster.clock.now(),
    report: () => undefined,
    random: Math.random,
  };
  const tail = await readContainerTail(context, target!, want, {
    from: undefined,
    to: undefined,
    previous: 'auto',
    thenFollow: false,
    afterTo: undefined,
    keep,
  });
  const known = tail.records.filter((record) => record.message !== LEFT_OUT && hasMatch(record));
  const time = countedTime(search);
  const isCounted = ({ at }: LogRecord) =>
    typeof time === 'string' || compareRecords({ ...known[0]!, at }, { ...known[0]!, at: time }) < 0;
  const inCount = known.filter(isCounted);
  const first = inCount.at(-Math.min(most, inCount.length));
  const chosen = first === undefined ? [] : known.slice(known.indexOf(first));
  const filter = { ...NO_FILTER, beforeContext: counted.before, afterContext: counted.after };
  return {
    shown: withContext(tail.records, chosen, filter).map(nameOfRecord),
    first: tail.records[0]?.at,
    whole: tail.whole,
    bytes: tail.bytes,
  };
}

test('the kept records of a container show what all of it shows, even if its clock was set back far', async () => {
  await fc.assert(
    fc.asyncProperty(KEPT, async (search) => {
      const cluster = clusterOf([search.container], search.ignoresTail, search.trouble);
      const kept = await drive(cluster.clock, foundIn(cluster, keepOf(search), search));
      const all = await drive(cluster.clock, foundIn(cluster, KEEP_ALL, search));
      expect(kept).toEqual(all);
    }),
    seeded(400),
  );
}, 120_000);
