import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import type { Frame } from '../../domain/frame.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { LiveMerge, REORDER_MS } from './live-merge.ts';

function setUp(last?: (at: (ms: number, text: string) => LogRecord) => LogRecord) {
  const clock = new FakeClock(0);
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web-0');
  cluster.addContainer(pod, 'main');
  const target = cluster.targetsOf(pod)[0]!;
  const source = makeRun(target, 'run');
  let seq = 0;
  const at = (ms: number, text: string): LogRecord => {
    return {
      run: source,
      at: timestampFromMs(ms),
      seq: seq++,
      message: Buffer.from(text),
      partial: false,
      late: false,
    };
  };
  const merge = new LiveMerge(clock, last?.(at));
  const input = merge.join(target);
  // Its next records are unknown, so the others wait for it as long as allowed.
  merge.join(target);
  const frames: Frame[] = [];
  const reported = () =>
    frames.flatMap((frame) => {
      if (frame.type !== 'records') return [frame.type];
      return frame.records.map(({ message, late }) => `${Buffer.from(message)}${late ? ' late' : ''}`);
    });
  const reading = (async () => {
    for await (const frame of merge.frames()) frames.push(frame);
  })();
  return { clock, merge, input, at, reported, reading, target };
}

test('a live record waits 100 ms for one that belongs before it', async () => {
  const { clock, input, at, reported } = setUp();
  await input.push([at(2_000, 'second')]);
  await clock.advance(REORDER_MS - 1);
  expect(reported()).toEqual([]);
  await input.push([at(1_000, 'first')]);
  await clock.advance(1);
  expect(reported()).toEqual(['first', 'second']);
});

test('a record that comes later than that is handed out on arrival, marked late', async () => {
  const { clock, input, at, reported } = setUp();
  await input.push([at(2_000, 'second')]);
  await clock.advance(REORDER_MS);
  await input.push([at(1_000, 'first')]);
  await clock.advance(0);
  expect(reported()).toEqual(['second', 'first late']);
});

test('a record older than the backlog is late', async () => {
  const { clock, input, at, reported } = setUp((make) => make(5_000, 'backlog'));
  await input.push([at(4_000, 'old'), at(6_000, 'new')]);
  await clock.advance(REORDER_MS);
  expect(reported()).toEqual(['old late', 'new']);
});

test('a report about a container comes after the records that came before it', async () => {
  const { clock, merge, input, at, reported, target } = setUp();
  await input.push([at(1_000, 'last words')]);
  merge.frame({ type: 'source', target, state: 'left', why: 'deleted' });
  await clock.advance(REORDER_MS);
  expect(reported()).toEqual(['last words', 'source']);
});

test('pauses readers while nothing takes the records', async () => {
  const clock = new FakeClock(0);
  const { at, target } = setUp();
  const merge = new LiveMerge(clock);
  const input = merge.join(target);
  let pushed = 0;
  const reader = async () => {
    for (let round = 0; round < 100; round++) {
      await input.push(Array.from({ length: 1_000 }, () => at(round, 'line')));
      await clock.advance(REORDER_MS);
      pushed++;
    }
  };
  void reader();
  await clock.advance(60_000);
  expect(pushed).toBeLessThan(20);
  merge.close();
});

test('holds back readers of long lines by their bytes', async () => {
  const clock = new FakeClock(0);
  const { at, target } = setUp();
  const merge = new LiveMerge(clock);
  const input = merge.join(target);
  let pushed = 0;
  const reader = async () => {
    for (let round = 0; round < 100; round++) {
      await input.push([at(round, 'x'.repeat(1_000_000))]);
      await clock.advance(REORDER_MS);
      pushed++;
    }
  };
  void reader();
  await clock.advance(60_000);
  expect(pushed).toBeLessThan(10);
  merge.close();
});

test('readers are paused by records that wait for the window to pass, and resume after it', async () => {
  const clock = new FakeClock(0);
  const { at, target } = setUp();
  const merge = new LiveMerge(clock);
  const input = merge.join(target);
  let pushed = 0;
  const reader = async () => {
    for (let round = 0; round < 30; round++) {
      await input.push([at(round, 'x'.repeat(1_000_000))]);
      pushed++;
    }
  };
  const done = reader();
  await clock.advance(0);
  expect(pushed).toBeLessThan(10);
  const taken = (async () => {
    let records = 0;
    for await (const frame of merge.frames()) if (frame.type === 'records') records += frame.records.length;
    return records;
  })();
  await clock.advance(10 * REORDER_MS);
  await done;
  merge.close();
  expect(await taken).toBe(30);
});

test('what comes at once is handed out bit by bit, and readers are held back until it is taken', async () => {
  const clock = new FakeClock(0);
  const { at, target } = setUp();
  const merge = new LiveMerge(clock);
  const input = merge.join(target);
  const many = Array.from({ length: 60 }, (_, ms) => at(ms, 'x'.repeat(100_000)));
  let wentOn = false;
  const pushed = input.push(many).then(() => {
    wentOn = true;
  });
  await clock.advance(REORDER_MS);
  const taken: number[] = [];
  for await (const frame of merge.frames()) {
    if (frame.type !== 'records') continue;
    expect(frame.records.length).toBeLessThan(5);
    taken.push(...frame.records.map((record) => record.at.nanos / 1e6));
    await clock.advance(0);
    // 4 MiB of the 6 MB may wait.
    if (taken.length < 15) expect(wentOn).toBe(false);
    if (taken.length > 25) expect(wentOn).toBe(true);
    if (taken.length === many.length) merge.close();
  }
  await pushed;
  expect(taken).toEqual(Array.from(many.keys()));
});

test('takes as many short ones at once as fit into a text, and readers resume after those', async () => {
  const clock = new FakeClock(0);
  const { at, target } = setUp();
  const merge = new LiveMerge(clock);
  const input = merge.join(target);
  const taken: number[] = [];
  const reading = (async () => {
    for await (const frame of merge.frames()) if (frame.type === 'records') taken.push(frame.records.length);
  })();
  for (let round = 0; round < 3; round++) {
    const pushed = input.push(
      Array.from({ length: 6_000 }, (_, index) => at(round * 6_000 + index, 'short')),
    );
    await clock.advance(REORDER_MS);
    // More arrived than may wait: all of it was taken.
    await pushed;
  }
  merge.close();
  await reading;
  expect(Math.max(...taken)).toBe(1_024);
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(18_000);
});

test('closing hands out what is held', async () => {
  const { merge, input, at, reported, reading } = setUp();
  await input.push([at(1_000, 'held')]);
  merge.close();
  await reading;
  expect(reported()).toEqual(['held']);
});

test('throws a failure after the waiting records', async () => {
  const { merge, input, at, reported, reading } = setUp();
  await input.push([at(1_000, 'held')]);
  merge.close({ error: new Error('the watch failed') });
  await expect(reading).rejects.toThrow('the watch failed');
  expect(reported()).toEqual(['held']);
});
