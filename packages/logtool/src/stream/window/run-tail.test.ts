import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { currentRunId } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { probeEnd } from '../run/log-end.ts';
import { addressRun } from '../run/open-log.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';
import { readRunTail } from './run-tail.ts';
import { EDGE_RECORDS, KEEP_ALL, type KeepPlan, LEFT_OUT } from './tail-keeper.ts';

/** Adds a pod whose line N is written N microseconds, plus the offset, after a full second. */
function addCounter(cluster: FakeCluster, name: string, offsetNanos: number, count: number) {
  const entries = Array.from({ length: count }, (_, index) => ({
    at: { seconds: 1_700_000_000, nanos: offsetNanos + (index + 1) * 1000 },
    bytes: Buffer.from(`${name} ${index + 1}`),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod(name), 'main', [newRun(`containerd://${name}`, entries)]);
  return entries;
}

const before = (at: Timestamp) => ({ kind: 'strict', at }) as const;
const textOf = ({ message }: LogRecord) => Buffer.from(message).toString();

test('the last records before a point are those right before it, though each container was asked for a share', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 3000, 3000);
  for (const name of ['x', 'y', 'z']) addCounter(cluster, name, 0, 1);
  for (let offset = 200; offset < 3000; offset += 77) {
    const window = { selection: { kind: 'tail', count: 150 }, to: before(entries[offset]!.at) } as const;
    const frames = await collect(cluster, clock, planOf(window));
    expect(recordsOf(frames).map(textOf), `before line ${offset + 1}`).toEqual(
      entries.slice(offset - 150, offset).map(({ bytes }) => bytes.toString()),
    );
  }
});

test('a page whose position is known about costs the same however far back it is; a wrong guess changes no answer', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 3000, 12_000);
  const [record] = recordsOf(
    await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 1 } })),
  );
  const run = record?.run.keyText ?? '';
  const page = async (offset: number, guess: number | undefined) => {
    const window = { selection: { kind: 'tail', count: 150 }, to: before(entries[offset]!.at) } as const;
    const afterTo = guess === undefined ? undefined : new Map([[run, guess]]);
    const asked = cluster.queries.length;
    const records = recordsOf(await collect(cluster, clock, planOf(window, { afterTo })));
    expect(records.map(textOf), `before line ${offset + 1}, guess ${guess}`).toEqual(
      entries.slice(Math.max(0, offset - 150), offset).map(({ bytes }) => bytes.toString()),
    );
    return cluster.queries.length - asked;
  };
  const first = await page(11_900, 100);
  for (const offset of [11_000, 8_000, 4_000, 1_000]) expect(await page(offset, 12_000 - offset)).toBe(first);
  expect(await page(4_000, undefined)).toBeGreaterThan(first);
  // Lines that no longer exist, that came since, and that are held nowhere.
  for (const guess of [0, 1, 300, 7_000, 8_600, 11_999, 14_000, Number.MAX_SAFE_INTEGER]) {
    const served = cluster.bytesServed;
    await page(4_000, guess);
    expect(cluster.bytesServed - served).toBeLessThan(1_000_000);
  }
  for (const guess of [0, 11_800, 14_000]) await page(100, guess);
});

test('the last lines of a log that has more cost one request for it, and nothing else', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 0, 3000);
  for (const cursors of [false, true]) {
    for (const count of [1, 10, 200]) {
      const asked = cluster.queries.length;
      const plan = planOf({ selection: { kind: 'tail', count } }, { cursors });
      const records = recordsOf(await collect(cluster, clock, plan));
      expect(records.map(textOf)).toEqual(entries.slice(-count).map(({ bytes }) => bytes.toString()));
      expect(cluster.queries.length - asked).toBe(1);
    }
  }
});

test('the last lines are whole where one has more fragments than were asked for, all of one time', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const at = (second: number) => ({ seconds: 1_700_000_000 + second, nanos: 0 });
  const long = Buffer.alloc(16_384 * 400 + 7, 'abcdefg');
  const fragments = Array.from({ length: 401 }, (_, index) => ({
    at: at(20),
    bytes: long.subarray(index * 16_384, (index + 1) * 16_384),
    partial: index < 400,
  }));
  const entries = [
    ...Array.from({ length: 20 }, (_, n) => ({ at: at(n), bytes: Buffer.from(`line ${n}`), partial: false })),
    ...fragments,
    { at: at(21), bytes: Buffer.from('last'), partial: false },
  ];
  cluster.addContainer(cluster.addPod('long'), 'main', [newRun('containerd://long', entries)]);
  const all = [...Array.from({ length: 20 }, (_, n) => `line ${n}`), long.toString(), 'last'];
  for (const count of [1, 2, 10, 100]) {
    for (const to of [undefined, before(at(60)), before(at(21))]) {
      const plan = planOf({ selection: { kind: 'tail', count }, to });
      const given = recordsOf(await collect(cluster, clock, plan)).map(textOf);
      const expected = (to?.at.seconds === at(21).seconds ? all.slice(0, -1) : all).slice(-count);
      expect(given.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
      expect(given.join('\n') === expected.join('\n')).toBe(true);
    }
  }
});

/** Reads the last lines of the only container. */
async function readTail(cluster: FakeCluster, clock: FakeClock, want: number, keep: KeepPlan) {
  const [target] = cluster.targets();
  const { signal } = new AbortController();
  const context: ReadContext = {
    client: cluster.client,
    clock,
    signal,
    resolvedAtMs: clock.now(),
    report: () => undefined,
    random: Math.random,
  };
  return readRunTail(context, addressRun(target!, currentRunId(target!), false), want, {
    to: undefined,
    giveUnterminated: true,
    confirmRun: false,
    thenFollow: false,
    keep,
    neighbors: { preceding: false, later: false },
  });
}

test('a search back keeps the messages that match, of what it read', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  addCounter(cluster, 'busy', 0, 3000);
  const matches = (record: LogRecord) => textOf(record).endsWith('77');
  const tail = await readTail(cluster, clock, 1000, { ...KEEP_ALL, matches });
  const texts = tail.records.filter(({ message }) => message !== LEFT_OUT).map(textOf);
  expect(tail.records.length).toBeGreaterThanOrEqual(1000);
  expect(texts.slice(-3)).toEqual(['busy 2777', 'busy 2877', 'busy 2977']);
  expect(texts.length).toBeLessThan(30);
});

/** Makes the cluster return the whole log for any request. */
function ignoreTailLines(cluster: FakeCluster): void {
  const { client } = cluster;
  const log: typeof client.log = (query, options) => client.log({ ...query, tailLines: undefined }, options);
  Object.assign(cluster, { client: { ...client, log } });
}

const sparse: KeepPlan = { ...KEEP_ALL, maxMatches: 4, isSparse: true, countedAt: 'nowhere' };

test.each([
  ['the last lines', sparse],
  ['the last lines, where those of one time are counted', { ...sparse, countedAt: 'everywhere' }],
  ['the last matches', { ...sparse, matches: (record: LogRecord) => textOf(record).endsWith('7') }],
  [
    'the last matches, where those of one time are counted',
    {
      ...sparse,
      matches: (record: LogRecord) => textOf(record).endsWith('7'),
      countedAt: 'everywhere',
      tally: [],
    },
  ],
  [
    'matches and what is around them',
    { ...sparse, matches: (record) => textOf(record).endsWith('7'), before: 3, after: 2 },
  ],
] as const satisfies readonly (readonly [string, KeepPlan])[])(
  'of a log much longer than what is wanted, only what is wanted is kept: %s',
  async (_, keep) => {
    for (const isWhole of [false, true]) {
      const clock = new FakeClock();
      const cluster = new FakeCluster(clock);
      addCounter(cluster, 'busy', 0, 9000);
      if (isWhole) ignoreTailLines(cluster);
      const tail = await readTail(cluster, clock, isWhole ? 10 : 8000, keep);
      expect(tail.count).toBeGreaterThanOrEqual(8000);
      // The first records, twice as many as wanted, and the earliest.
      expect(tail.records.length).toBeLessThanOrEqual(
        EDGE_RECORDS + 2 * 4 * (1 + keep.before + 1 + keep.after + 1) + 1,
      );
      const found = tail.records.filter(
        (record) => keep.matches?.(record) !== false && record.message !== LEFT_OUT,
      );
      const expected = keep.matches === undefined ? [8997, 8998, 8999, 9000] : [8967, 8977, 8987, 8997];
      expect(found.slice(-4).map(textOf)).toEqual(expected.map((n) => `busy ${n}`));
    }
  },
);

test('context is whole where the first line of an answer, which may be the end of one, is stamped late', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 0, 300);
  const want = 100;
  const first = entries.length - want - LOOKAHEAD_RECORDS - 1;
  const run = cluster.pods.get('busy')!.containers[0]!.runs[0]!;
  for (const offset of [297, 298, 299]) {
    const { at } = entries[offset]!;
    run.entries[first] = { ...entries[first]!, at: { ...at, nanos: at.nanos - 1 } };
    const matches = (record: LogRecord) => textOf(record) === 'busy 299';
    const tail = await readTail(cluster, clock, want, { ...sparse, matches, before: 2, after: 1 });
    const found = tail.records.filter(({ message }) => message !== LEFT_OUT).map(textOf);
    expect(found).toEqual(expect.arrayContaining(['busy 297', 'busy 298', 'busy 299', 'busy 300']));
  }
});

test('the end of a log is found and little is kept of it, where the whole log comes instead of its last lines', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 0, 9000);
  ignoreTailLines(cluster);
  const [target] = cluster.targets();
  const { signal } = new AbortController();
  const context: ReadContext = {
    client: cluster.client,
    clock,
    signal,
    resolvedAtMs: clock.now(),
    report: () => undefined,
    random: Math.random,
  };
  const end = await probeEnd(context, addressRun(target!, currentRunId(target!), false));
  expect(Buffer.from(end!.last.message)).toEqual(entries.at(-1)!.bytes);
  expect(end!.lines.map(textOf)).toEqual(entries.slice(-16).map(({ bytes }) => bytes.toString()));
});

test('a search back for a pattern that matches an empty message finds only the empty messages', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = Array.from({ length: 900 }, (_, n) => ({
    at: { seconds: 1_700_000_000 + n, nanos: 0 },
    bytes: Buffer.from(n % 300 === 0 ? '' : `line ${n}`),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('empty'), 'main', [newRun('containerd://empty', entries)]);
  const filter = { ...planOf({}).filter, grep: '^$' };
  const plan = planOf({ selection: { kind: 'tail', count: 10 } }, { filter });
  const found = recordsOf(await collect(cluster, clock, plan));
  expect(found.map(({ at }) => at.seconds - 1_700_000_000)).toEqual([0, 300, 600]);
});

test('a search back that counts what does not match finds what one that keeps it all finds', async () => {
  // A clock that is set back far now and then.
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: -3, max: 9 }) },
    { weight: 1, arbitrary: fc.integer({ min: -900, max: -100 }) },
  );
  const container = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 1_500, size: 'max' }),
    every: fc.integer({ min: 1, max: 60 }),
    restarts: fc.boolean(),
  });
  const shape = fc.record({
    containers: fc.array(container, { minLength: 1, maxLength: 4 }),
    count: fc.integer({ min: 1, max: 12 }),
    since: fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ containers, count, since }) => {
      const clock = new FakeClock();
      const cluster = new FakeCluster(clock);
      for (const [index, { steps, every, restarts }] of containers.entries()) {
        let at = 1_700_000_000_000;
        const entries = steps.map((step, n) => {
          at += step * 10;
          return {
            at: { seconds: Math.floor(at / 1000), nanos: (at % 1000) * 1_000_000 },
            bytes: Buffer.from(n % every === 0 ? `match ${index}.${n}` : `other ${n}`),
            partial: false,
          };
        });
        const half = restarts ? Math.floor(entries.length / 2) : 0;
        const runs = [newRun(`containerd://${index}-b`, entries.slice(half))];
        if (half > 0) runs.unshift(newRun(`containerd://${index}-a`, entries.slice(0, half)));
        cluster.addContainer(cluster.addPod(`pod-${index}`), 'main', runs);
      }
      const window = {
        selection: { kind: 'tail', count },
        from: since === undefined ? undefined : before({ seconds: 1_700_000_000, nanos: since * 100_000 }),
      } as const;
      const filter = { ...planOf({}).filter, grep: 'match' };
      const [sparse, whole] = await Promise.all(
        [false, true].map(async (cursors) =>
          recordsOf(await collect(cluster, clock, planOf(window, { filter, cursors }))).map(textOf),
        ),
      );
      expect(sparse).toEqual(whole);
    }),
    { numRuns: 150 },
  );
});

/** Whether a line of addCounter has a number below `from`; excludes the line with the last timestamp. */
const isBefore = (record: LogRecord, from: number) => {
  const position = Number(textOf(record).split(' ')[1]);
  return position > 7 && position < from;
};

test('the last match is kept where the first line of an answer, which is dropped, matches and is stamped last', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = addCounter(cluster, 'busy', 0, 300);
  const want = 100;
  const first = entries.length - want - LOOKAHEAD_RECORDS - 1;
  const run = cluster.pods.get('busy')!.containers[0]!.runs[0]!;
  const { at } = entries.at(-1)!;
  run.entries[first] = {
    ...entries[first]!,
    at: { ...at, nanos: at.nanos + 1 },
    bytes: Buffer.from('busy 7'),
  };
  // The number of matching lines decides whether earlier matches are dropped at the last one.
  for (const from of [200, 210, 220, 230]) {
    const matches = (record: LogRecord) =>
      /^busy (?:7|\d\d7)$/.test(textOf(record)) && !isBefore(record, from);
    for (const maxMatches of [1, 2, 3]) {
      const keep = { ...sparse, matches, maxMatches, before: 2, after: 1 };
      const tail = await readTail(cluster, clock, want, keep);
      const found = tail.records.filter((record) => record.message !== LEFT_OUT && matches(record));
      const expected = ['busy 277', 'busy 287', 'busy 297'].slice(-maxMatches);
      expect(found.slice(-maxMatches).map(textOf)).toEqual(expected);
    }
  }
});
