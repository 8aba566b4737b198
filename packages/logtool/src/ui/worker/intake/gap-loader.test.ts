import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { type FakeLine, sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { inclusive } from '../known/missing.ts';
import { HeldLog } from '../store/held-log.ts';
import { type Fill, fillGap, type Gap } from './gap-loader.ts';

const START = 1_800_000_000;
const at = (index: number) => ({ seconds: START + index, nanos: 0 });
const texts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, offset) => `line ${from + offset}`);

/** Of 30 lines on the server, lines 10 to 19 are loaded; the limit is 10. */
function makeLog() {
  const server = new FakeServer();
  for (let index = 0; index < 30; index++) {
    const line: FakeLine = { ...at(index), container: 'web/a', text: `line ${index}` };
    server.lines.push(line);
  }
  const log = new HeldLog({ lines: 10, bytes: 2 ** 20 });
  log.store.sources.take(sourceOf('web/a', 0), false);
  const arrive = (index: number, nanos = 0, text = `line ${index}`) =>
    log.arrive({ ...at(index), nanos, source: 0, text, flags: 0 });
  for (let index = 10; index < 20; index++) arrive(index);
  log.reader = log.store.order.first;
  const older = { kind: 'strict', at: inclusive(at(10)).at } as const;
  const newer = inclusive(at(20));
  Object.assign(log.edges, { older, newer });

  let queries = 0;
  const fill = (gap: Gap, options: Fill) =>
    fillGap(log, gap, options, {
      api: server.api,
      plan: { context: 'test', sources: ['web'], follow: false },
      signal: new AbortController().signal,
      clock: new FakeClock(),
      nextQuery: () => queries++,
    });
  return {
    log,
    older,
    newer,
    arrive,
    fill,
    held: () => [...log.store.order.from({ chunk: 0, offset: 0 })].map((id) => log.store.text(id)),
    /** Loads a page, and runs `work` after the server has read it and before it arrives. */
    async fillWhile(gap: Gap, options: Fill, work: () => void) {
      let deliver = () => {};
      server.delivery = new Promise((resolve) => {
        deliver = resolve;
      });
      const loading = fill(gap, options);
      await setImmediate();
      expect(server.requests).toHaveLength(1);
      work();
      deliver();
      return loading;
    },
  };
}
const PAGE = { bound: undefined, count: 100 };

test('a page is put at the end of the log that it was loaded for', async () => {
  const { fill, held, log, older, newer } = makeLog();
  expect(await fill({ at: 'newer', bound: newer }, { startingAt: PAGE })).toHaveLength(10);
  expect(await fill({ at: 'older', bound: older }, { upTo: PAGE })).toHaveLength(10);
  expect([held(), log.edges]).toEqual([texts(0, 30), { older: 'beginning', newer: 'now' }]);
});

test('a newer page is left out when the last lines were evicted while it was read', async () => {
  const { fill, fillWhile, held, log, newer, arrive } = makeLog();
  const ids = await fillWhile({ at: 'newer', bound: newer }, { startingAt: PAGE }, () => {
    arrive(12, 5, 'late');
    expect(log.trim()).toBe(true);
  });
  const kept = [...texts(10, 13), 'late', ...texts(13, 19)];
  expect({ ids, held: held(), newer: log.edges.newer }).toEqual({
    ids: [],
    held: kept,
    newer: inclusive(at(19)),
  });
  // The next page begins at the log's current end: no line is lost.
  if (typeof log.edges.newer === 'string') throw new Error('the log ends now');
  await fill({ at: 'newer', bound: log.edges.newer }, { startingAt: PAGE });
  expect(held()).toEqual([...kept, ...texts(19, 30)]);
});

test('an older page is left out when the log begins elsewhere by the time it arrives', async () => {
  const { fillWhile, held, log, older } = makeLog();
  const moved = { kind: 'strict', at: inclusive(at(8)).at } as const;
  const ids = await fillWhile({ at: 'older', bound: older }, { upTo: PAGE }, () => {
    log.edges.older = moved;
  });
  expect({ ids, held: held(), older: log.edges.older }).toEqual({
    ids: [],
    held: texts(10, 20),
    older: moved,
  });
});

test('a page for a range that is no longer missing is left out', async () => {
  const { fillWhile, held, log } = makeLog();
  const range = { from: inclusive(at(0)), to: inclusive(at(9)), lines: 10, state: 'idle' } as const;
  const entry = log.store.addMissing({ ...range }, log.store.order.first);
  const known = log.store.missing.get(entry);
  if (known === undefined) throw new Error('nothing is missing');
  const loading = fillWhile({ at: 'missing', entry, range: known }, { upTo: PAGE }, () => {
    log.store.removeOne(entry);
  });
  await expect(loading).resolves.toEqual([]);
  expect([held(), known.state]).toEqual([texts(10, 20), 'idle']);
});
