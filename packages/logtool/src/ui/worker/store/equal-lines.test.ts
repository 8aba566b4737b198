import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { KIND } from './entry-table.ts';
import { HeldLog } from './held-log.ts';
import { makeRow } from './row.ts';

const LIMITS = { lines: 1_000_000, bytes: 2 ** 29 };

function logOf(): HeldLog {
  const log = new HeldLog(LIMITS);
  for (const index of [0, 1, 2]) log.store.sources.take(sourceOf(`web/${index}`, index), false);
  log.groups.isOn = true;
  log.view.foldsEqual = true;
  return log;
}

/** Equal lines, single lines, lines with a level, and the head and frames of a trace. */
const TEXTS = [
  'tick',
  'tock',
  'level=error full',
  'Exception in thread "main" java.lang.Error: x',
  '\tat a.b(C.java:1)',
];
const STEP = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('line'),
      source: fc.nat(2),
      text: fc.nat(TEXTS.length - 1),
      ms: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('marker'),
      source: fc.nat(2),
      text: fc.constant(0),
      ms: fc.constant(0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unfold'),
      source: fc.constant(0),
      text: fc.nat(40),
      ms: fc.constant(0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refresh'),
      source: fc.constant(0),
      text: fc.constant(0),
      ms: fc.constant(0),
    }),
  },
);

function take(
  log: HeldLog,
  { kind, source, text }: typeof STEP extends fc.Arbitrary<infer T> ? T : never,
  at: Timestamp,
): void {
  if (kind === 'line') log.arrive({ ...at, source, text: TEXTS[text]!, flags: 0 });
  else if (kind === 'marker') log.mark({ marker: 'gap', source, text: 'gap', isWarning: true }, at);
  else {
    log.view.refresh();
    const id = kind === 'unfold' ? log.view.at(text) : undefined;
    if (id !== undefined) log.groups.fold(id, log.groups.isUnfolded(id));
    log.view.invalidate();
  }
}

test('folding equal lines hides no other line, and counts stay what they are', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 120 }), fc.constantFrom(undefined, 'error'), (steps, level) => {
      const log = logOf();
      if (level !== undefined) {
        const wanted = (_: number, index: number) => index === 1;
        log.view.filter = { wanted, byFields: false, bySearch: false, paused: false };
      }
      let ms = 0;
      for (const step of steps) {
        ms += step.ms;
        take(log, step, { seconds: 1_000 + Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1e6 });
      }
      check(log);
    }),
    { numRuns: 400 },
  );
});

test('the rows of an unfolded record have each of its lines once', () => {
  const log = logOf();
  const texts = [
    'level=error full',
    'Exception in thread "main" java.lang.Error: x',
    '\tat a.b(C.java:1)',
    '\tat a.c(C.java:2)',
  ];
  for (const [nanos, text] of texts.entries())
    log.arrive({ seconds: 1_000, nanos, source: 1, text, flags: 0 });
  log.view.refresh();
  const head = log.view.at(0)!;
  expect(log.view.total).toBe(1);
  const whole = log.view.wholeAt(head);
  expect(whole).toHaveLength(texts.length);
  log.groups.fold(head, false);
  log.view.invalidate();
  log.view.refresh();
  const rows = log.view.slice(0, log.view.total);
  expect(rows).toEqual(whole);
  expect(rows.flatMap((id) => log.view.recordsAt(id))).toEqual([head]);
  expect(rows.flatMap((id) => log.view.wholeAt(id))).toEqual(whole);
});

/** Compares the view with one that folds only records. */
function check(log: HeldLog): void {
  const { store, view, groups } = log;
  const { table } = store;
  view.refresh();
  const rows = view.slice(0, view.total);
  const folded = rows.filter((id) => table.kind(id) === KIND.line).flatMap((id) => view.recordsAt(id));
  const counted = ['hits', 'errors', 'warns'] as const;
  const before = counted.map((what) => view.count(what));
  const lines = store.order.chunks.reduce((sum, _, at) => sum + view.chunk(at).lines, 0);
  view.foldsEqual = false;
  view.refresh();
  const whole = view.slice(0, view.total);
  // Every line is shown, or folded into an equal line of the same container.
  expect(new Set(folded).size).toBe(folded.length);
  const all = whole.filter((id) => table.kind(id) === KIND.line).flatMap((id) => view.recordsAt(id));
  expect([...folded].sort((a, b) => a - b)).toEqual([...all].sort((a, b) => a - b));
  expect(counted.map((what) => view.count(what))).toEqual(before);
  expect(store.order.chunks.reduce((sum, _, at) => sum + view.chunk(at).lines, 0)).toBe(lines);
  view.foldsEqual = true;
  view.refresh();
  const shown = new Set(rows);
  for (const id of rows) {
    const equal = view.equalTo(id);
    if (equal === undefined || groups.isUnfolded(equal[0]!)) continue;
    expect(equal[0]).toBe(id);
    for (const other of equal.slice(1)) {
      expect(shown.has(other)).toBe(false);
      expect(store.text(other)).toBe(store.text(id));
      expect(table.source(other)).toBe(table.source(id));
    }
    // Neighbors: no other line of the container is between them.
    const own = [...store.order.from({ chunk: 0, offset: 0 })].filter(
      (each) => table.kind(each) === KIND.line && table.source(each) === table.source(id),
    );
    expect(own.slice(own.indexOf(id), own.indexOf(equal.at(-1)!) + 1)).toEqual(equal);
  }
}

test('a row says how many equal lines there are, and how long they took; unfolded each is a row', () => {
  const log = logOf();
  for (let index = 0; index < 40; index++) {
    log.arrive({ seconds: 1_000, nanos: index * 5_000_000, source: 0, text: 'pool exhausted', flags: 0 });
    log.arrive({ seconds: 1_000, nanos: index * 5_000_000, source: 1, text: `line ${index}`, flags: 0 });
  }
  log.view.refresh();
  expect(log.view.total).toBe(41);
  const first = log.view.at(0)!;
  const row = makeRow(log, first, 0, undefined);
  expect(row.kind === 'line' && row.equal).toEqual({
    first,
    line: 'head',
    isFolded: true,
    lines: 40,
    ms: 195,
  });
  expect(log.view.wholeAt(first)).toHaveLength(40);
  log.groups.fold(first, false);
  log.view.invalidate();
  log.view.refresh();
  expect(log.view.total).toBe(80);
  expect(log.view.wholeAt(first)).toEqual([first]);
});

test('lines of one container that are equal, and not neighbors, stay apart', () => {
  const log = logOf();
  const texts = ['a', 'b', 'a'];
  for (const [index, text] of texts.entries())
    log.arrive({ seconds: 1_000 + index, nanos: 0, source: 0, text, flags: 0 });
  log.mark(
    { marker: 'gap', source: 0, text: 'lines are missing', isWarning: true },
    { seconds: 1_003, nanos: 0 },
  );
  log.arrive({ seconds: 1_004, nanos: 0, source: 0, text: 'a', flags: 0 });
  log.view.refresh();
  expect(log.view.total).toBe(5);
});
