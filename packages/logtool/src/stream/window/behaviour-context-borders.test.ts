import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { beforeAll, expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';
import { compileFilter } from '../match/compile-filter.ts';

/* Lines around matches where one read ends and the next begins. */

// A view loads pattern code on first use, which takes real time that no test clock controls.
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
  'a line at the end of a backlog is shown before a match that comes: %j',
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

test('reports lines before a match that took too much memory', async () => {
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
  const within = await read(60);
  expect(recordsOf(within)).toHaveLength(61);
  expect(within.filter(({ type }) => type === 'notice')).toEqual([]);
  const beyond = await read(100);
  const shown = recordsOf(beyond).length;
  expect(shown).toBeGreaterThan(60);
  expect(shown).toBeLessThan(80);
  expect(beyond.filter(({ type }) => type === 'notice')).toMatchObject([
    { code: 'context-cut', data: { lost: 80 - shown } },
  ]);
});

test('lines before a match that comes are marked if later ones of another container were shown', async () => {
  const { cluster, write, open, clock } = setUp();
  const other = cluster.addContainer(cluster.addPod('web-1'), 'main');
  const filter = { ...NO_FILTER, grep: 'match', beforeContext: 1 };
  const view = open(planOf({ selection: { kind: 'all' }, follow: true }, { filter }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  write('in front');
  await view.pass(1_000);
  write('match other', clock.now(), other);
  await view.pass(1_000);
  // In one frame: the line before the match belongs before the other container's match.
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
