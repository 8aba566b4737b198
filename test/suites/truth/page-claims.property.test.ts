import { compareTimestamps, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FakeFault } from '../../support/engine/fake-cluster.ts';
import { seeded } from '../../support/engine/search-logs.ts';
import { checkClaims } from './claims.ts';
import {
  containerId,
  NO_FACETS,
  SEARCHES,
  type Shape,
  START_MS,
  type WrittenRecord,
  WrittenWorld,
} from './written-world.ts';

/* Every statement of the page is true, for any logs, range, filters, loaded lines and faults. */

const fault: fc.Arbitrary<FakeFault | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant({ kind: 'status' as const, status: 500 }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('reset' as const, 'clean-end' as const),
      afterBytes: fc.integer({ min: 0, max: 9_000 }),
    }),
  },
);
const shape: fc.Arbitrary<Shape> = fc.record({
  pods: fc.array(
    fc.record({
      lines: fc.oneof(
        { weight: 3, arbitrary: fc.nat(120) },
        { weight: 1, arbitrary: fc.integer({ min: 900, max: 3_000 }) },
      ),
      seed: fc.nat(),
      errorEvery: fc.integer({ min: 2, max: 400 }),
      warnEvery: fc.integer({ min: 2, max: 60 }),
      startMs: fc.integer({ min: 0, max: 600_000 }),
      earlier: fc.constantFrom(0, 0, 30, 90),
      traceEvery: fc.constantFrom(2, 3, 7, 1_000_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  faults: fc.array(fault, { maxLength: 8 }),
  refused: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(2) }),
  maxLines: fc.constantFrom(6_000, 1_000_000),
  grouping: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});

const levels = fc.subarray(['error', 'warn', 'info', 'none', 'fatal'], { maxLength: 2 });
const fraction = fc.nat(1_000).map((thousandths) => thousandths / 1_000);

type Step =
  | { readonly do: 'range'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly do: 'facets'; readonly include: readonly string[]; readonly exclude: number | undefined }
  | { readonly do: 'search'; readonly text: string; readonly only: boolean }
  | {
      readonly do: 'find';
      readonly at: number;
      readonly what: 'hit' | 'error' | 'warn';
      readonly isNext: boolean;
    }
  | { readonly do: 'load'; readonly what: 'older' | 'newer' }
  | { readonly do: 'jump'; readonly at: number }
  | { readonly do: 'rest' | 'match' | 'follow' }
  | { readonly do: 'write'; readonly pod: number; readonly count: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('range' as const),
    from: fc.option(fraction, { nil: undefined }),
    to: fc.option(fraction, { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('facets' as const),
    include: levels,
    exclude: fc.option(fc.nat(2), { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('search' as const),
    text: fc.constantFrom('', ...SEARCHES),
    only: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('find' as const),
      at: fraction,
      what: fc.constantFrom('hit' as const, 'error' as const, 'warn' as const),
      isNext: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('load' as const), what: fc.constantFrom('older' as const, 'newer' as const) }),
  fc.record({ do: fc.constant('jump' as const), at: fraction }),
  fc.record({ do: fc.constantFrom('rest' as const, 'match' as const, 'follow' as const) }),
  fc.record({ do: fc.constant('write' as const), pod: fc.nat(2), count: fc.integer({ min: 1, max: 9 }) }),
);

async function take(world: WrittenWorld, step: Step): Promise<void> {
  const { asked } = world;
  switch (step.do) {
    case 'range': {
      const bounds = [step.from, step.to].map((at) => (at === undefined ? undefined : momentAt(world, at)));
      const [from, to] = bounds;
      asked.from = from;
      asked.to = from !== undefined && to !== undefined && compareTimestamps(from, to) >= 0 ? undefined : to;
      return world.open();
    }
    case 'facets':
      asked.facets = {
        ...NO_FACETS,
        include: { level: step.include },
        exclude: { container: step.exclude === undefined ? [] : [containerId(step.exclude)] },
      };
      return world.send({ type: 'facets', filter: asked.facets });
    case 'search':
      asked.search = { ...asked.search, text: step.text, only: step.only };
      return world.send({ type: 'search', plan: asked.search });
    case 'find':
      return find(world, step);
    case 'load':
      return world.send({ type: 'load', what: step.what });
    case 'jump': {
      const { seconds, nanos } = momentAt(world, step.at);
      await world.ask({ type: 'jump', to: { at: 'time', seconds, nanos } }, 'jumped');
      return world.settle();
    }
    case 'rest':
      return world.send({ type: 'read-rest' });
    case 'match':
      await world.ask({ type: 'show-match' }, 'found');
      return world.settle();
    case 'follow':
      asked.follow = !asked.follow;
      return world.open();
    case 'write':
      // Without following, the page cannot know of new lines.
      if (!asked.follow || asked.to !== undefined) return;
      for (let count = 0; count < step.count; count++) {
        world.write(step.pod);
        await world.clock.advance(1);
      }
      return world.settle();
  }
}

/** Returns a time in the range of the logs, to the millisecond. */
function momentAt({ written }: WrittenWorld, fraction: number) {
  const times = written.map(({ at }) => at.seconds * 1000 + Math.floor(at.nanos / 1e6));
  const first = Math.min(START_MS, ...times);
  const last = Math.max(START_MS, ...times);
  return timestampFromMs(first + Math.floor((last + 1 - first) * fraction));
}

const levelsOf = (what: 'error' | 'warn') => (what === 'error' ? ['fatal', 'error'] : ['warn']);

async function find(world: WrittenWorld, { at, what, isNext }: Extract<Step, { do: 'find' }>): Promise<void> {
  const rows = (await world.rows()).filter((row) => row.kind === 'line');
  const from = rows[Math.floor(at * (rows.length - 1))];
  const own = from && world.inRange().find(({ text }) => text === from.text);
  if (from === undefined || own === undefined || !world.hasAnswered(own.pod)) return;
  const isKind = (record: WrittenRecord) =>
    world.passes(record) && (what === 'hit' ? world.isHit(record) : levelsOf(what).includes(record.level));
  const nearest = (isRead: (line: WrittenRecord) => boolean) => {
    const truth = world
      .inRange()
      .filter((line) => isRead(line) && (world.passes(line) || line.text === from.text));
    const start = truth.findIndex((line) => line.text === from.text);
    return isNext ? truth.slice(start + 1).find(isKind) : truth.slice(0, Math.max(0, start)).findLast(isKind);
  };
  const expected = nearest((line) => world.hasAnswered(line.pod));
  // A container that the page reports as unanswered may have answered this request.
  const ofAll = nearest((line) => !world.isRefused(line.pod));
  const direction = isNext ? 'next' : 'previous';
  const found = await world.ask({ type: 'find', from: from.entry, direction, what }, 'found');
  await world.settle();
  if (found.entry === undefined) {
    if (found.isExact) expect(ofAll, `it says that there is no ${direction} ${what}`).toBeUndefined();
    return;
  }
  const row = (await world.rows()).find(({ entry }) => entry === found.entry);
  expect([expected?.text, ofAll?.text], `${direction} ${what} from ${from.text}`).toContain(
    row?.kind === 'line' ? row.text : row?.kind,
  );
}

async function play(shape: Shape, steps: readonly Step[]): Promise<void> {
  const world = new WrittenWorld(shape);
  try {
    await world.open();
    await checkClaims(world);
    for (const each of steps) {
      await take(world, each);
      await checkClaims(world);
    }
  } finally {
    world.close();
  }
}

/**
 * Runs the same cases each time, so that a change is judged by itself; LOGTOOL_CASES runs that many others,
 * and LOGTOOL_SEED repeats those of a failure.
 */
const { LOGTOOL_CASES, LOGTOOL_SEED } = process.env;
const CASES = Number(LOGTOOL_CASES ?? 120);
const isFixed = LOGTOOL_CASES === undefined && LOGTOOL_SEED === undefined;
const MS_A_CASE = 2_000;

test(
  'no count, chart, facet, "next", "beginning" or "nothing" differs from what was written',
  { timeout: CASES * MS_A_CASE },
  () =>
    fc.assert(fc.asyncProperty(shape, fc.array(step, { minLength: 1, maxLength: 8 }), play), {
      ...seeded(CASES),
      ...(isFixed ? { seed: 7 } : {}),
    }),
);
