import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NORMAL_LINES, TRACES } from '../../../../../../test/support/records/traces.ts';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { Shape } from '../../../domain/records/line-shape.ts';
import { type OpenRecord, spanOf, takeLine } from '../../../domain/records/open-record.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND, VERDICT } from './entry-table.ts';
import { LineStore } from './line-store.ts';
import { RecordGroups } from './record-groups.ts';
import { View } from './view.ts';

function storeOf(sources: number): LineStore {
  const store = new LineStore();
  for (let index = 0; index < sources; index++) {
    store.sources.introduce(sourceOf(`pod/${index}`, index));
  }
  return store;
}

/** Returns what one pass over all lines finds: the head of each line that continues a record. */
function headsOf(store: LineStore): Map<EntryId, EntryId> {
  const heads = new Map<EntryId, EntryId>();
  const open = new Map<number, { readonly record: OpenRecord; readonly ids: readonly EntryId[] }>();
  for (const id of store.order.from({ chunk: 0, offset: 0 })) {
    if (store.table.kind(id) !== KIND.line) continue;
    const source = store.table.source(id);
    const before = open.get(source);
    const line = {
      shape: store.table.get('shape', id) as Shape,
      bytes: store.table.get('length', id),
      ...store.time(id),
    };
    const record = takeLine(before?.record, line);
    const ids = [...(before?.ids ?? []), id].slice(-spanOf(record));
    if (record.waiting === 0) for (const one of ids.slice(1)) heads.set(one, ids[0]!);
    open.set(source, { record, ids });
  }
  return heads;
}

function knownHeads(store: LineStore, groups: RecordGroups): Map<EntryId, EntryId> {
  const heads = new Map<EntryId, EntryId>();
  for (const id of store.order.from({ chunk: 0, offset: 0 })) {
    const head = groups.headOf(id);
    if (head !== undefined) heads.set(id, head);
    // Both directions agree.
    else for (const line of groups.linesOf(id).slice(1)) expect(groups.headOf(line)).toBe(id);
  }
  return heads;
}

const PIECE = fc.record({
  source: fc.nat(2),
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }) => lines),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 30 }),
  ),
});
const STEP = fc.oneof(
  fc.record({ do: fc.constant('append' as const), pieces: fc.array(PIECE, { maxLength: 40 }) }),
  fc.record({ do: fc.constant('page' as const), pieces: fc.array(PIECE, { maxLength: 10 }) }),
  fc.record({ do: fc.constant('first' as const), count: fc.nat(60) }),
  fc.record({ do: fc.constant('last' as const), count: fc.nat(60) }),
  fc.record({ do: fc.constant('source' as const), source: fc.nat(2) }),
);

/** Adds lines of several sources in turn. Returns the time of the last one. */
function addInTurn(
  store: LineStore,
  pieces: readonly (typeof PIECE extends fc.Arbitrary<infer T> ? T : never)[],
  startMs: number,
  stepMs: number,
): number {
  const rest = pieces.map(({ source, lines }) => ({ source, lines: [...lines] }));
  let ms = startMs;
  while (rest.some(({ lines }) => lines.length > 0))
    for (const { source, lines } of rest) {
      const text = lines.shift();
      if (text === undefined) continue;
      ms += stepMs;
      const at = { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 };
      store.addLine({ ...at, source, text, flags: 0 });
    }
  return ms;
}

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** A store whose lines come and go at both ends. */
class ChangingStore {
  readonly store = storeOf(3);
  #firstMs = 1e9;
  #lastMs = 1e9;
  readonly #stepMs: number;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  take(step: Step): void {
    const { store } = this;
    const ids = [...store.order.from({ chunk: 0, offset: 0 })];
    if (step.do === 'append') this.#lastMs = addInTurn(store, step.pieces, this.#lastMs, this.#stepMs);
    else if (step.do === 'page') {
      this.#firstMs -= step.pieces.reduce((sum, { lines }) => sum + lines.length, 1) * this.#stepMs;
      addInTurn(store, step.pieces, this.#firstMs, this.#stepMs);
    } else if (step.do === 'first') store.removeAtEdge('first', ids.slice(0, step.count));
    else if (step.do === 'last') store.removeAtEdge('last', step.count === 0 ? [] : ids.slice(-step.count));
    else store.remove((id) => store.table.source(id) === step.source);
  }
}

test('lines that come and go anywhere are grouped as one pass over all groups them', () => {
  let joined = 0;
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (steps, stepMs) => {
      const changing = new ChangingStore(stepMs);
      const { store } = changing;
      const groups = new RecordGroups(store);
      groups.isOn = true;
      for (const step of steps) {
        changing.take(step);
        groups.update();
        const heads = headsOf(store);
        joined += heads.size;
        expect(knownHeads(store, groups)).toEqual(heads);
      }
    }),
    { numRuns: 300 },
  );
  expect(joined).toBeGreaterThan(1000);
});

const [HEAD, ...TRACE] = TRACES[0]!.lines as [string, ...string[]];

function viewOf(lines: readonly (readonly [source: number, text: string])[]) {
  const store = storeOf(2);
  const groups = new RecordGroups(store);
  const view = new View(store, groups);
  groups.isOn = true;
  for (const [index, [source, text]] of lines.entries())
    store.addLine({ seconds: 1, nanos: index, source, text, flags: 0 });
  view.refresh();
  const shown = () => view.slice(0, view.total).map((id) => store.text(id));
  return { store, groups, view, shown };
}

const ERROR = LEVELS.indexOf('error');
const mixed = [HEAD, ...TRACE].flatMap((text) => [[0, text] as const, [1, 'GET /health 200'] as const]);

test('a folded record is its head, and shows its lines in their place when it is unfolded', () => {
  const { groups, view, shown } = viewOf(mixed);
  expect(shown()).toEqual([HEAD, ...mixed.flatMap(([source, text]) => (source === 1 ? [text] : []))]);
  groups.fold(view.at(0)!, false);
  view.invalidate();
  view.refresh();
  expect(shown()).toEqual(mixed.map(([, text]) => text));
});

test('the level of the record keeps it, not those of its lines, and it is counted once', () => {
  const { view, shown } = viewOf(mixed);
  view.filter = { wanted: (_, level) => level === ERROR, byFields: false, bySearch: false, paused: false };
  view.refresh();
  expect(shown()).toEqual([HEAD]);
  expect(view.count('errors')).toBe(1);
  expect(view.chunk(0).lines).toBe(1);
  // Its further lines have no level of their own.
  view.filter = {
    wanted: (_, level) => level === LEVELS.length,
    byFields: false,
    bySearch: false,
    paused: false,
  };
  view.refresh();
  expect(shown()).toEqual(mixed.flatMap(([source, text]) => (source === 1 ? [text] : [])));
});

test('a record is one hit, where the first of its lines that is found is a row', () => {
  const { store, groups, view } = viewOf(mixed);
  const lines = groups.linesOf(view.at(0)!);
  for (const line of lines.slice(1, 4)) store.table.set('searched', line, VERDICT.hit);
  view.invalidate();
  view.refresh();
  expect([view.count('hits'), view.next('hits', 0, 1)]).toEqual([1, 0]);
  groups.fold(lines[0]!, false);
  view.invalidate();
  view.refresh();
  expect([view.count('hits'), view.at(view.next('hits', 0, 1)!)]).toEqual([1, lines[1]]);
  view.filter = { ...view.filter, soughtLevels: (level) => level !== ERROR };
  view.refresh();
  expect(view.count('hits')).toBe(0);
});

test('a hit in any line keeps the record, and an excluded line takes it away', () => {
  const { store, view, shown, groups } = viewOf(mixed);
  const [head, second] = groups.linesOf(view.at(0)!);
  store.table.set('searched', second!, VERDICT.hit);
  view.filter = { byFields: false, bySearch: true, paused: false };
  view.refresh();
  expect(shown()).toEqual([HEAD]);
  expect(view.count('hits')).toBe(1);
  store.table.set('searched', head!, VERDICT.refused);
  view.invalidate();
  view.refresh();
  expect(shown()).toEqual([]);
});

test('lines that come later join the record that is shown', () => {
  const { store, view, groups, shown } = viewOf([[0, HEAD]]);
  for (const [index, text] of TRACE.entries())
    store.addLine({ seconds: 1, nanos: 10 + index, source: 0, text, flags: 0 });
  const before = groups.changes;
  view.refresh();
  expect(shown()).toEqual([HEAD]);
  expect(groups.linesOf(view.at(0)!)).toHaveLength(TRACE.length + 1);
  expect(groups.changes).toBeGreaterThan(before);
});
