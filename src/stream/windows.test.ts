import { expect, test } from 'vitest';
import { collect, nameOf, planOf, recordsOf } from '../../test/stream/collect.ts';
import { FakeCluster, newRun } from '../../test/stream/fake-cluster.ts';
import { FakeClock } from '../domain/clock.ts';
import { timestampFromMs } from '../domain/timestamp.ts';

function line(text: string, ms: number) {
  return { at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms), bytes: Buffer.from(text), partial: false };
}

function twoPods() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const name of ['a', 'b']) {
    const pod = cluster.addPod(name);
    const entries = Array.from({ length: 200 }, (_, index) =>
      line(`${name}${index}`, index * 10 + (name === 'a' ? 0 : 5)),
    );
    cluster.addContainer(pod, 'main', [newRun(`${name}-0`, entries)]);
  }
  return { clock, cluster };
}

const messages = (records: ReturnType<typeof recordsOf>) =>
  records.map((record) => Buffer.from(record.message).toString());

test('tail gives the last of the merged order, not of each container', async () => {
  const { clock, cluster } = twoPods();
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 4 } }));
  expect(messages(recordsOf(frames))).toEqual(['a198', 'b198', 'a199', 'b199']);
  expect(frames.at(-1)).toMatchObject({ type: 'end', cut: true, live: false });
});

test('head gives the first of the merged order', async () => {
  const { clock, cluster } = twoPods();
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'head', count: 3 } }));
  expect(messages(recordsOf(frames))).toEqual(['a0', 'b0', 'a1']);
});

test('all gives everything in order', async () => {
  const { clock, cluster } = twoPods();
  const records = recordsOf(await collect(cluster, clock, planOf({})));
  expect(records).toHaveLength(400);
  expect(records.map(nameOf)).toEqual(records.map(nameOf).toSorted());
});

test('follow goes on behind the backlog without a gap and without doubles', async () => {
  const { clock, cluster } = twoPods();
  const abort = new AbortController();
  const plan = planOf({ selection: { kind: 'tail', count: 2 }, follow: true });
  const reading = collect(cluster, clock, plan, abort.signal).catch((error: unknown) => error);
  await clock.advance(1000);
  void reading;
  abort.abort(new Error('enough'));
  expect(await reading).toEqual(new Error('enough'));
});

test('no more containers are read at once than allowed, and the rest waits its turn', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (let index = 0; index < 9; index++) {
    const pod = cluster.addPod(`p${index}`);
    const entries = Array.from({ length: 50 }, (_, number) =>
      line(`${index}-${number}`, number * 100 + index),
    );
    cluster.addContainer(pod, 'main', [newRun(`run-${index}`, entries)]);
  }
  for (const selection of [
    { kind: 'all' },
    { kind: 'head', count: 100 },
    { kind: 'tail', count: 100 },
  ] as const) {
    const free = messages(recordsOf(await collect(cluster, clock, planOf({ selection }))));
    cluster.mostOpenLogs = 0;
    const frames = await collect(cluster, clock, planOf({ selection }, { maxLogRequests: 2 }));
    expect(messages(recordsOf(frames))).toEqual(free);
    expect(cluster.mostOpenLogs).toBeLessThanOrEqual(2);
    expect(frames.filter(({ type }) => type === 'progress').at(-1)).toMatchObject({ total: 9 });
  }
});
