import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';

const FOLLOW = planOf({ selection: { kind: 'all' }, follow: true });

/** Follows a log whose lines arrive at these times. */
async function follow(timesMs: readonly number[], restMs: readonly number[]) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const container = cluster.addContainer(cluster.addPod('web-0'), 'main');
  const begunMs = clock.now();
  let line = 0;
  const write = (afterMs: number) =>
    cluster.write(container, {
      at: timestampFromMs(begunMs + afterMs),
      bytes: Buffer.from(`line ${++line}`),
      partial: false,
    });
  const view = new LiveView(cluster, clock, FOLLOW);
  await view.pass(200);
  for (const atMs of timesMs) {
    write(atMs);
    await view.pass(50);
  }
  await view.pass(1_000);
  for (const atMs of restMs) write(atMs);
  await view.pass(5_000);
  await view.close();
  return {
    texts: view.records.map(({ message }) => Buffer.from(message).toString()),
    gaps: view.frames.flatMap((frame) => (frame.type === 'gap' ? [frame] : [])),
  };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test('a clock that is set back in the middle of a stream is no repetition', async () => {
  const { texts, gaps } = await follow([600_000, 600_100, 30_000, 30_100], [30_200]);
  expect(texts.toSorted()).toEqual(lines(5));
  expect(gaps).toEqual([]);
});

/**
 * Writes a log of many lines a second, then lines in a file that the follow never opens, then lines of the next file.
 */
async function skip(writeBetween: boolean, isLagging: boolean) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const container = cluster.addContainer(cluster.addPod('web-0'), 'main');
  const begunMs = clock.now();
  const write = (afterMs: number) =>
    cluster.write(container, {
      at: timestampFromMs(begunMs + afterMs),
      bytes: Buffer.from(`at ${afterMs}`),
      partial: false,
    });
  const view = new LiveView(cluster, clock, FOLLOW);
  await view.pass(200);
  for (let line = 0; line < 200; line++) write(200 + line);
  await view.pass(isLagging ? 50 : 3_000);
  container.runs[0]!.skipsFiles = true;
  if (writeBetween) {
    cluster.rotate(container);
    for (let line = 400; line < 3_000; line++) write(line);
    cluster.rotate(container);
  }
  for (let line = 3_000; line < 3_100; line++) write(line);
  await view.pass(2_000);
  await view.close();
  const texts = view.records.map(({ message }) => Buffer.from(message).toString());
  const gaps = view.frames.flatMap((frame) =>
    frame.type === 'gap' ? [[frame.from, frame.to].map((at) => timestampToMs(at!) - begunMs)] : [],
  );
  return { lines: texts.length, gaps, asked: cluster.queries.filter(({ limitBytes }) => limitBytes).length };
}

test('a file that the stream skips, because the node lags its rotations, is reported as missing', async () => {
  expect(await skip(true, true)).toEqual({ lines: 300, gaps: [[399, 3_000]], asked: 1 });
});

test('a pause in a log that is read late is no skipped file', async () => {
  expect(await skip(false, true)).toEqual({ lines: 300, gaps: [], asked: 1 });
});

test('a pause in a log that is read as it is written costs no request', async () => {
  expect(await skip(false, false)).toEqual({ lines: 300, gaps: [], asked: 0 });
});
