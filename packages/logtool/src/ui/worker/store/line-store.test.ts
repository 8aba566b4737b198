import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { makeHistogram } from '../coverage/histogram.ts';
import { LineStore, type NewLine } from './line-store.ts';
import { findLine, linkOf, parseLink } from './link.ts';
import { RecordGroups } from './record-groups.ts';
import { NO_FILTER, View } from './view.ts';

const SOURCES = 4;
const entry = fc.record({
  seconds: fc.integer({ min: 0, max: 30 }),
  nanos: fc.constantFrom(0, 1, 5),
  source: fc.nat(SOURCES - 1),
  level: fc.constantFrom('INFO', 'ERROR', 'WARN', 'plain', 'FATAL'),
});

interface Model extends NewLine {
  readonly id: number;
  readonly level: string;
}

/** Adds lines in any order and removes some; keeps a sorted plain list beside them. */
function build(
  entries: readonly (Omit<NewLine, 'text' | 'flags'> & { readonly level: string })[],
  gone: number,
) {
  const store = new LineStore(100);
  for (let index = 0; index < SOURCES; index++) store.sources.take(sourceOf(`web/${index}`, index), false);
  const model: Model[] = entries.map((each, index) => {
    const line = { ...each, text: `${each.level} ${index}`, flags: 1 };
    return { ...line, id: store.addLine(line) };
  });
  const isGone = (id: number) => (id * 31) % 10 < gone;
  store.remove(isGone);
  store.reclaim();
  const sorted = model
    .filter(({ id }) => !isGone(id))
    .sort((a, b) => a.seconds - b.seconds || a.nanos - b.nanos || a.source - b.source || a.id - b.id);
  return { store, sorted };
}

const entries = fc.oneof(
  fc.array(entry, { maxLength: 60 }),
  // Enough for several chunks.
  fc.array(entry, { minLength: 5_000, maxLength: 7_000 }),
);

test('lines that come in any order are held in theirs, each at its place, with its text', () => {
  fc.assert(
    fc.property(entries, fc.nat(9), (given, gone) => {
      const { store, sorted } = build(given, gone);
      expect([...store.order.from({ chunk: 0, offset: 0 })]).toEqual(sorted.map(({ id }) => id));
      expect(store.lines).toBe(sorted.length);
      for (const [index, { id, text }] of sorted.entries()) {
        if (index % 7 !== 0) continue;
        const position = store.locate(id);
        expect(store.order.start(position.chunk) + position.offset).toBe(index);
        expect(store.text(id)).toBe(text);
      }
    }),
    { numRuns: 40 },
  );
});

test('a view shows what passes, at indexes without holes, whatever changed before', () => {
  fc.assert(
    fc.property(entries, entries, fc.nat(SOURCES - 1), (given, later, source) => {
      const { store, sorted } = build(given, 2);
      const view = new View(store);
      view.filter = {
        ...NO_FILTER,
        wanted: (own, level) => own !== source && level !== LEVELS.indexOf('info'),
      };
      view.refresh();
      const shown = (lines: readonly Model[]) =>
        lines.filter((line) => line.source !== source && line.level !== 'INFO').map(({ id }) => id);
      expect(view.slice(0, view.total)).toEqual(shown(sorted));
      const more = later.map((each, index) => {
        const line = { ...each, text: `${each.level} ${index}`, flags: 1 };
        return { ...line, id: store.addLine(line) };
      });
      view.refresh();
      const all = [...sorted, ...more].sort(
        (a, b) => a.seconds - b.seconds || a.nanos - b.nanos || a.source - b.source || a.id - b.id,
      );
      const ids = shown(all);
      expect(view.slice(0, view.total)).toEqual(ids);
      const errors = all.filter(
        ({ id, level }) => ids.includes(id) && (level === 'ERROR' || level === 'FATAL'),
      );
      expect(view.count('errors')).toBe(errors.length);
      const middle = Math.floor(ids.length / 2);
      const next = view.next('errors', middle, 1);
      const expected = errors.find(({ id }) => ids.indexOf(id) >= middle);
      expect(next === undefined ? undefined : view.at(next)).toBe(expected?.id);
      const previous = view.next('errors', middle, -1);
      const before = errors.findLast(({ id }) => ids.indexOf(id) <= middle);
      expect(previous === undefined ? undefined : view.at(previous)).toBe(before?.id);
      expect(view.countBefore('errors', middle)).toBe(
        errors.filter(({ id }) => ids.indexOf(id) < middle).length,
      );
    }),
    { numRuns: 25 },
  );
});

test.each(['first', 'last'] as const)('a filtered view follows when the %s lines are let go', (edge) => {
  const { store, sorted } = build(
    Array.from({ length: 12 }, (_, index) => ({
      seconds: index,
      nanos: 0,
      source: index % 2,
      level: 'INFO',
    })),
    0,
  );
  const view = new View(store);
  view.filter = { ...NO_FILTER, wanted: (source) => source === 0 };
  view.refresh();
  const ids = sorted.map(({ id }) => id);
  store.removeAtEdge(edge, edge === 'first' ? ids.slice(0, 3) : ids.slice(-3));
  view.refresh();
  const left = edge === 'first' ? sorted.slice(3) : sorted.slice(0, -3);
  expect(view.slice(0, view.total)).toEqual(left.filter(({ source }) => source === 0).map(({ id }) => id));
});

test('the histogram counts each line of the view once, in its time', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 40 }), (given, buckets) => {
      const { store, sorted } = build(given, 0);
      const view = new View(store);
      view.refresh();
      const histogram = makeHistogram({ store, view, groups: new RecordGroups(store) }, buckets);
      const { fromSeconds, bucketSeconds, errors, warnings, others } = histogram;
      const expected = errors.map((_, bucket) => {
        const lines = sorted.filter(
          (line) => Math.floor((line.seconds - fromSeconds) / bucketSeconds) === bucket,
        );
        const of = (...levels: string[]) => lines.filter(({ level }) => levels.includes(level)).length;
        return [of('ERROR', 'FATAL'), of('WARN'), of('INFO', 'plain')];
      });
      expect(errors.map((count, bucket) => [count, warnings[bucket], others[bucket]])).toEqual(expected);
      expect([...errors, ...warnings, ...others].reduce((sum, count) => sum + count, 0)).toBe(sorted.length);
    }),
    { numRuns: 40 },
  );
});

test('each line is found by its link', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), (given) => {
      const { store, sorted } = build(given, 1);
      for (const { id } of sorted) {
        const name = parseLink(linkOf(store, id));
        if (name === undefined) throw new Error('no link');
        expect(findLine(store, name)).toBe(id);
      }
    }),
    { numRuns: 50 },
  );
  fc.assert(fc.property(fc.string(), (text) => void parseLink(text)));
});

test('lines of any characters and length are given back, bytes of lone surrogates aside', () => {
  const store = new LineStore();
  store.sources.take(sourceOf('web/a', 0), false);
  const texts = ['', 'é漢😀', 'x'.repeat(3_000_000), '漢'.repeat(500_000), 'z', '\ud800'];
  for (let round = 0; round < 3; round++) {
    const ids = texts.map((text) => store.addLine({ seconds: round, nanos: 0, source: 0, text, flags: 0 }));
    expect(ids.map((id) => store.text(id) === texts[ids.indexOf(id)])).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(store.text(ids[5] as number)).toBe('\ufffd');
  }
});

test('memory is given back when lines go', () => {
  const store = new LineStore();
  store.sources.take(sourceOf('web/a', 0), false);
  const ids: number[] = [];
  for (let index = 0; index < 100_000; index++) {
    ids.push(
      store.addLine({
        seconds: index,
        nanos: 0,
        source: 0,
        text: `line ${index} ${'x'.repeat(80)}`,
        flags: 0,
      }),
    );
  }
  const before = store.arena.capacity;
  store.remove((id) => id % 10 !== 0);
  store.reclaim();
  expect(store.arena.capacity).toBeLessThan(before / 4);
  for (const id of ids.filter((each) => each % 10 === 0))
    expect(store.text(id)).toMatch(new RegExp(`^line ${id} x`));
});

test('ticks are the places of errors in the view, at most as many as wanted', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 50 }), (given, most) => {
      const { store, sorted } = build(given, 0);
      const view = new View(store);
      view.refresh();
      const perTick = Math.max(1, sorted.length / most);
      const expected = new Set<number>();
      for (const [index, { level }] of sorted.entries()) {
        if (level === 'ERROR' || level === 'FATAL') expected.add(Math.floor(index / perTick));
      }
      const ticks = view.ticks('errors', most);
      expect(ticks).toEqual([...expected].map((tick) => (tick * perTick) / sorted.length));
      expect(ticks.length).toBeLessThanOrEqual(most);
    }),
    { numRuns: 40 },
  );
});
