import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/stream/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/stream/fake-cluster.ts';
import { setUp, texts } from '../../../../../test/stream/followed-pod.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import { compileFilter } from '../match/compile-filter.ts';

/* Lines around matches where one read ends and the next begins. */

// A view loads what it needs of patterns, which takes time that no clock of a test shows.
beforeAll(async () => {
  await compileFilter({ ...NO_FILTER, grep: 'match|^$' });
});

test.each([[{ kind: 'all' }], [{ kind: 'tail', count: 1 }], [{ kind: 'tail', count: 10 }]] as const)(
  'what follows the last match of a backlog is shown when it comes: %j',
  async (selection) => {
    const { write, open, clock } = setUp();
    for (let index = 0; index < 100; index++) write(`old ${index}`, clock.now() - 10_000 + index);
    write('match one');
    write('one behind');
    const filter = { ...NO_FILTER, grep: 'match', afterContext: 3 };
    const view = open(planOf({ selection, follow: true }, { filter }));
    await view.until(() => view.records.length === 2, 5_000);
    for (const text of ['two behind', 'three behind', 'four behind']) write(text);
    await view.pass(2_000);
    await view.close();
    expect(texts(view)).toEqual(['match one', 'one behind', 'two behind', 'three behind']);
  },
);

test.each([[{ kind: 'all' }], [{ kind: 'tail', count: 1 }], [{ kind: 'tail', count: 10 }]] as const)(
  'what stands at the end of a backlog is shown in front of a match that comes: %j',
  async (selection) => {
    for (const hasMatch of [true, false]) {
      const { write, open, clock } = setUp();
      for (let index = 0; index < 3_000; index++)
        write(hasMatch && index === 50 ? 'match old' : `old ${index}`, clock.now() - 10_000 + index);
      const filter = { ...NO_FILTER, grep: 'match|^$', beforeContext: 200 };
      const view = open(planOf({ selection, follow: true }, { filter }));
      await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
      const shown = view.records.length;
      write('between');
      write('match new');
      await view.pass(2_000);
      await view.close();
      const expected = Array.from({ length: 199 }, (_, index) => `old ${2_801 + index}`);
      expect(texts(view).slice(shown)).toEqual([...expected, 'between', 'match new']);
    }
  },
);

test('a follow without a backlog shows nothing of it', async () => {
  const { write, open } = setUp();
  for (const text of ['match old', 'old']) write(text);
  const filter = { ...NO_FILTER, grep: 'match', beforeContext: 2, afterContext: 2 };
  const view = open(planOf({ selection: { kind: 'tail', count: 0 }, follow: true }, { filter }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  for (const text of ['between', 'match new']) write(text);
  await view.pass(2_000);
  await view.close();
  expect(texts(view)).toEqual(['between', 'match new']);
});

const LINES = fc.array(
  fc.record({ container: fc.nat(2), stepMs: fc.constantFrom(0, 0, 1, 5), isMatch: fc.boolean() }),
  { minLength: 1, maxLength: 60 },
);
const COUNT = fc.nat(5);

test('pages forward give each match once, no line twice, and are in order', async () => {
  await fc.assert(
    fc.asyncProperty(LINES, COUNT, COUNT, COUNT, async (lines, beforeContext, afterContext, more) => {
      const clock = new FakeClock();
      const cluster = new FakeCluster(clock);
      let atMs = clock.now() - 100_000;
      const entries = lines.map(({ container, stepMs, isMatch }, index) => {
        atMs += stepMs;
        const text = `${isMatch ? 'match' : 'other'} ${index}`;
        return { container, entry: { at: timestampFromMs(atMs), bytes: Buffer.from(text), partial: false } };
      });
      for (const index of [0, 1, 2]) {
        const own = entries.filter(({ container }) => container === index).map(({ entry }) => entry);
        cluster.addContainer(cluster.addPod(`pod-${index}`), 'main', [newRun(`run-${index}`, own)]);
      }
      const filter = { ...NO_FILTER, grep: 'match', beforeContext, afterContext };
      const found: LogRecord[] = [];
      let from: Bound | undefined;
      for (let page = 0; page < 100; page++) {
        const window = { selection: { kind: 'head', count: 1 + more }, from } as const;
        const frames = await collect(cluster, clock, planOf(window, { filter, cursors: true }));
        found.push(...recordsOf(frames));
        const end = frames.findLast(({ type }) => type === 'end');
        if (end?.type !== 'end' || end.next === undefined) break;
        from = { kind: 'cursor', cursor: end.next };
      }
      const shown = found.map(({ message }) => Buffer.from(message).toString());
      expect(new Set(shown).size).toBe(shown.length);
      const times = found.map(({ at }) => at.seconds * 1e9 + at.nanos);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const wanted = lines.flatMap(({ isMatch }, index) => (isMatch ? [`match ${index}`] : []));
      expect(shown.filter((text) => text.startsWith('match')).sort()).toEqual(wanted.sort());
    }),
    { numRuns: 150 },
  );
});

test('lines in front of a match that took too much memory are told of', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const atMs = clock.now() - 100_000;
  const bytes = Buffer.alloc(1024 * 1024, 'x');
  const entries = Array.from({ length: 80 }, (_, index) => ({
    at: timestampFromMs(atMs + index),
    bytes: index === 79 ? Buffer.from('match') : bytes,
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('large'), 'main', [newRun('large-0', entries)]);
  const read = (beforeContext: number) =>
    collect(cluster, clock, planOf({}, { filter: { ...NO_FILTER, grep: 'match', beforeContext } }));
  const few = await read(60);
  expect(recordsOf(few)).toHaveLength(61);
  expect(few.filter(({ type }) => type === 'notice')).toEqual([]);
  const many = await read(100);
  const shown = recordsOf(many).length;
  expect(shown).toBeGreaterThan(60);
  expect(shown).toBeLessThan(80);
  expect(many.filter(({ type }) => type === 'notice')).toMatchObject([
    { code: 'context-cut', text: expect.stringContaining(`${80 - shown} lines before the match`) },
  ]);
});

test('lines that follow a match far in front of a cursor have their text', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const atMs = clock.now() - 100_000;
  const entries = Array.from({ length: 2_000 }, (_, index) => ({
    at: timestampFromMs(atMs + index),
    bytes: Buffer.from(index === 600 ? 'match' : `line ${index}`),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('one'), 'main', [newRun('one-0', entries)]);
  const filter = { ...NO_FILTER, grep: 'match', afterContext: 900 };
  for (let begin = 610; begin < 1_490; begin += 80) {
    const from = { kind: 'cursor', cursor: { at: entries[begin]!.at, shown: 1 } } as const;
    for (const count of [5, 1_000]) {
      const plan = planOf({ selection: { kind: 'tail', count }, from }, { filter });
      const shown = recordsOf(await collect(cluster, clock, plan)).map(
        ({ message }) => `${Buffer.from(message)}`,
      );
      expect(shown).toEqual(Array.from({ length: 1_500 - begin }, (_, index) => `line ${begin + 1 + index}`));
    }
  }
});

test('lines in front of a match that comes are marked where later ones of another container were shown', async () => {
  const { cluster, write, open, clock } = setUp();
  const other = cluster.addContainer(cluster.addPod('web-1'), 'main');
  const filter = { ...NO_FILTER, grep: 'match', beforeContext: 1 };
  const view = open(planOf({ selection: { kind: 'all' }, follow: true }, { filter }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  write('in front');
  await view.pass(1_000);
  write('match other', clock.now(), other);
  await view.pass(1_000);
  // In one frame: the line in front of the match belongs before the other container's match.
  const now = clock.now();
  write('match web', now);
  write('in front of the second', now + 1);
  write('match other again', now + 2, other);
  write('match web again', now + 3);
  await view.pass(2_000);
  await view.close();
  expect(view.records.map(({ message, late }) => [Buffer.from(message).toString(), late])).toEqual([
    ['match other', false],
    ['in front', true],
    ['match web', false],
    ['in front of the second', false],
    ['match other again', false],
    ['match web again', false],
  ]);
});

test('a page back shows what follows a match of another container far in front of it', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const atMs = clock.now() - 100_000;
  const add = (pod: string, count: number, offsetMs: number, isMatch: (index: number) => boolean) => {
    const entries = Array.from({ length: count }, (_, index) => ({
      at: timestampFromMs(atMs + index * 10 + offsetMs),
      bytes: Buffer.from(`${isMatch(index) ? 'match' : 'line'} ${pod}${index}`),
      partial: false,
    }));
    cluster.addContainer(cluster.addPod(pod), 'main', [newRun(`${pod}-0`, entries)]);
  };
  add('a', 1_000, 0, (index) => index % 2 === 0);
  add('b', 1_000, 5, (index) => index === 100);
  const filter = { ...NO_FILTER, grep: 'match', afterContext: 950 };
  const plan = planOf({ selection: { kind: 'tail', count: 2 } }, { filter, cursors: true });
  const shown = recordsOf(await collect(cluster, clock, plan)).map(
    ({ message }) => `${Buffer.from(message)}`,
  );
  const expected = [
    'match a996',
    'line b996',
    'line a997',
    'line b997',
    'match a998',
    'line b998',
    'line a999',
  ];
  expect(shown).toEqual([...expected, 'line b999']);
});

test.each(['auto', 'only'] as const)(
  'a page back has the text of what stands at the end of the run before in front of a match behind it: %s',
  async (previous) => {
    const clock = new FakeClock();
    const cluster = new FakeCluster(clock);
    const atMs = clock.now() - 100_000;
    const entries = Array.from({ length: 200 }, (_, index) => ({
      at: timestampFromMs(atMs + index),
      bytes: Buffer.from(index === 180 ? 'match' : `line ${index}`),
      partial: false,
    }));
    const now = [{ at: timestampFromMs(atMs + 1_000), bytes: Buffer.from('now'), partial: false }];
    cluster.addContainer(cluster.addPod('one'), 'main', [newRun('one-0', entries), newRun('one-1', now)]);
    const filter = { ...NO_FILTER, grep: 'match', beforeContext: 60 };
    const to = { kind: 'cursor', cursor: { at: entries[170]!.at, shown: 0 } } as const;
    const plan = planOf({ selection: { kind: 'tail', count: 5 }, to, previous }, { filter });
    const shown = recordsOf(await collect(cluster, clock, plan)).map(
      ({ message }) => `${Buffer.from(message)}`,
    );
    expect(shown).toEqual(Array.from({ length: 50 }, (_, index) => `line ${120 + index}`));
  },
);

test.each([
  ['busy', 10],
  ['that write a line in ten seconds', 10_000],
  ['that write a line in twenty minutes', 1_200_000],
])(
  'a page forward looks for what follows a match in one request or two of each container: %s',
  async (_, stepMs) => {
    const clock = new FakeClock();
    const cluster = new FakeCluster(clock);
    const containers = [0, 1, 2].map((index) => cluster.addContainer(cluster.addPod(`pod-${index}`), 'main'));
    const startMs = clock.now() - 3_000 * stepMs;
    for (let index = 0; index < 3_000; index++)
      for (const container of containers)
        cluster.write(container, {
          at: timestampFromMs(startMs + index * stepMs),
          bytes: Buffer.from(`${index % 50 === 0 ? 'match' : 'other'} ${index}`),
          partial: false,
        });
    const filter = { ...NO_FILTER, grep: 'match', afterContext: 2 };
    const page = async (from?: Bound) => {
      const asked = cluster.queries.length;
      const window = { selection: { kind: 'head', count: 4 }, from } as const;
      const frames = await collect(cluster, clock, planOf(window, { filter, cursors: true }));
      const end = frames.at(-1);
      const cursor = end?.type === 'end' ? end.next : undefined;
      return {
        texts: recordsOf(frames).map(({ message }) => `${Buffer.from(message)}`),
        next: cursor && ({ kind: 'cursor', cursor } as const),
        requests: cluster.queries.length - asked,
      };
    };
    const first = await page();
    const second = await page(first.next);
    const indices = (texts: readonly string[]) => texts.map((text) => Number(text.split(' ')[1]));
    expect(new Set(indices(second.texts))).toEqual(new Set([50, 51, 52, 100]));
    // The page itself reads each once; one more asks whether anything lies in front of it.
    expect(second.requests).toBeLessThanOrEqual(3 * (1 + 2) + 1);
  },
);
