import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import {
  around,
  clusterOf,
  containerOf,
  inOrder,
  isMatch,
  type Line,
  nameOf,
  nameOfRecord,
  seeded,
  timeOf,
} from '../../../../../test/support/engine/search-logs.ts';
import type { Bound, Selection } from '../../domain/window.ts';
import { compileFilter } from '../match/compile-filter.ts';

/*
 * Searches with lines around their matches, over several containers, compared with a simple rule over all written
 * lines.
 */

// A view loads pattern code on first use, which takes real time that no test clock controls.
beforeAll(async () => {
  await compileFilter({ ...NO_FILTER, grep: 'match' });
});

/** Many with equal times, some slightly out of order, now and then a minute or an hour of silence. */
const STEP = fc.oneof(
  { weight: 16, arbitrary: fc.constant(0) },
  { weight: 16, arbitrary: fc.integer({ min: -2, max: 3 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom(7_000, 400_000) },
);
const SHAPE = fc.tuple(containerOf(STEP), fc.constantFrom(1, 1, 1, 4)).map(([shape, repeats]) => ({
  ...shape,
  repeats,
  steps: shape.steps.slice(0, 70),
  every: Math.min(shape.every, 90),
  start: shape.start % 20,
}));
const COUNT = fc.oneof(fc.nat(3), fc.nat(12));
const CONTEXT = fc.oneof({ weight: 6, arbitrary: COUNT }, { weight: 1, arbitrary: fc.nat(100) });
const SEARCH = fc.record({
  shapes: fc.array(SHAPE, { minLength: 1, maxLength: 4 }),
  beforeContext: CONTEXT,
  afterContext: CONTEXT,
  maxLogRequests: fc.constantFrom(1, 2, 100),
  searchLimitBytes: fc.constantFrom(0, 0, 1, 200),
  chunkBytes: fc.constantFrom(64, 1000, 65_536),
  ignoresTail: fc.boolean(),
  previous: fc.constantFrom('auto', 'auto', 'no', 'only'),
} as const);
type Search = typeof SEARCH extends fc.Arbitrary<infer T> ? T : never;

interface Logs {
  readonly read: (
    selection: Selection,
    bounds: { readonly from?: Bound | undefined; readonly to?: Bound | undefined },
  ) => Promise<string[]>;
  readonly lines: readonly Line[];
}

function logsOf(search: Search): Logs {
  const { shapes, beforeContext, afterContext, ignoresTail, maxLogRequests, searchLimitBytes, previous } =
    search;
  const { clock, cluster, lines } = clusterOf(shapes, ignoresTail);
  cluster.chunkBytes = () => search.chunkBytes;
  const filter = { ...NO_FILTER, grep: 'match', beforeContext, afterContext };
  return {
    lines: inOrder(lines.filter(({ run }) => previous === 'auto' || run === (previous === 'no' ? 1 : 0))),
    async read(selection, bounds) {
      const plan = { filter, maxLogRequests, searchLimitBytes };
      const frames = await collect(cluster, clock, planOf({ selection, previous, ...bounds }, plan));
      return recordsOf(frames).map(nameOfRecord);
    },
  };
}

/** Returns the shown lines of each container in order, as grep shows them. */
function shownOf(lines: readonly Line[], { beforeContext, afterContext }: Search): Line[] {
  const shown = around(lines, lines.filter(isMatch), beforeContext, afterContext);
  return lines.filter((line) => shown.has(line));
}

/** Returns the first matches with their lines: up to the first line that belongs only to a later match. */
function headOf(lines: readonly Line[], search: Search, count: number): Line[] {
  const shown = shownOf(lines, search);
  const nth = shown.filter(isMatch)[count - 1];
  if (nth === undefined) return count === 0 ? [] : shown;
  const follows = around(lines, lines.filter(isMatch), 0, search.afterContext);
  const last = shown.indexOf(nth);
  const end = shown.findIndex((line, index) => index > last && (isMatch(line) || !follows.has(line)));
  return end === -1 ? shown : shown.slice(0, end);
}

const TICK = fc.option(fc.nat(600), { nil: undefined });

test('all and head show what a plain rule shows, in order', async () => {
  await fc.assert(
    fc.asyncProperty(SEARCH, TICK, TICK, fc.boolean(), COUNT, async (search, from, to, isStrict, count) => {
      const logs = logsOf(search);
      const boundAt = (tick: number | undefined): Bound | undefined =>
        tick === undefined ? undefined : { kind: isStrict ? 'strict' : 'inclusive', at: timeOf(tick + 300) };
      const bounds = { from: boundAt(from), to: boundAt(to) };
      const inside = logs.lines.filter(({ tick }) => {
        if (from !== undefined && (isStrict ? tick <= from + 300 : tick < from + 300)) return false;
        return to === undefined || (isStrict ? tick < to + 300 : tick <= to + 300);
      });
      expect(await logs.read({ kind: 'all' }, bounds)).toEqual(shownOf(inside, search).map(nameOf));
      const head = await logs.read({ kind: 'head', count }, bounds);
      expect(head).toEqual(headOf(inside, search, count).map(nameOf));
    }),
    seeded(100),
  );
}, 120_000);

const WRITTEN = fc.record({
  container: fc.nat(2),
  isMatch: fc.boolean(),
  stepMs: fc.constantFrom(0, 1, 400),
});
type Written = typeof WRITTEN extends fc.Arbitrary<infer T> ? T : never;

/** Three containers whose lines are known. */
class WrittenLines {
  readonly clock;
  readonly cluster;
  readonly lines: (Line & { readonly isLive: boolean })[] = [];
  readonly #containers;

  constructor() {
    const { clock, cluster } = clusterOf([], false);
    this.clock = clock;
    this.cluster = cluster;
    this.#containers = [0, 1, 2].map((index) => cluster.addContainer(cluster.addPod(`pod-${index}`), 'main'));
  }

  write({ container, isMatch: matches }: Written, atMs: number, isLive: boolean): void {
    const text = `${matches ? 'match' : 'other'} ${this.lines.length}`;
    this.lines.push({ container, run: 0, tick: atMs, text, isLive });
    this.cluster.write(this.#containers[container]!, {
      at: timestampFromMs(atMs),
      bytes: Buffer.from(text),
      partial: false,
    });
  }

  /** Writes lines of the last minute. */
  writePast(lines: readonly Written[]): void {
    let atMs = this.clock.now() - 60_000;
    for (const one of lines) {
      atMs += one.stepMs;
      this.write(one, atMs, false);
    }
  }

  /** Returns the lines that a follow shows: the matches, live and of the tail, with the lines around them. */
  shown(count: number | undefined, beforeContext: number, afterContext: number): ReadonlySet<Line> {
    const { lines } = this;
    const backlog = inOrder(lines.filter(({ isLive }) => !isLive)).filter(isMatch);
    const chosen = new Set(lastOf(backlog, count));
    const matches = lines.filter((line) => isMatch(line) && (line.isLive || chosen.has(line)));
    const seen = count === 0 ? lines.filter(({ isLive }) => isLive) : lines;
    return around(seen, matches, beforeContext, afterContext);
  }
}

/** Returns the last lines, all without a count. */
function lastOf(lines: readonly Line[], count: number | undefined): readonly Line[] {
  if (count === undefined) return lines;
  return count === 0 ? [] : lines.slice(-count);
}

test('past and live records are one sequence for each container', async () => {
  const lines = fc.array(WRITTEN, { maxLength: 40, size: 'max' });
  const maybeCount = fc.option(COUNT, { nil: undefined });
  await fc.assert(
    fc.asyncProperty(lines, lines, CONTEXT, CONTEXT, maybeCount, async (old, live, ...rest) => {
      const [beforeContext, afterContext, count] = rest;
      const written = new WrittenLines();
      const { clock, cluster } = written;
      written.writePast(old);
      const selection = count === undefined ? ({ kind: 'all' } as const) : ({ kind: 'tail', count } as const);
      const filter = { ...NO_FILTER, grep: 'match', beforeContext, afterContext };
      const view = new LiveView(cluster, clock, planOf({ selection, follow: true }, { filter }));
      await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
      for (const one of live) {
        written.write(one, clock.now(), true);
        if (one.stepMs > 0) await view.pass(one.stepMs);
      }
      await view.pass(1_000);
      await view.close();
      const shown = written.shown(count, beforeContext, afterContext);
      for (const index of [0, 1, 2]) {
        const own = written.lines.filter((one) => one.container === index && shown.has(one));
        const found = view.records.filter(({ run }) => run.target.pod === `pod-${index}`);
        const texts = found.map(({ message }) => `${Buffer.from(message)}`);
        expect(texts, `pod-${index}`).toEqual(own.map(({ text }) => text));
      }
    }),
    seeded(100),
  );
}, 120_000);
