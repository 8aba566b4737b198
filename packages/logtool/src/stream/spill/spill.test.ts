import { readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { onLinux, temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { noticeText } from '../../cli/messages/notice-text.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Selection, Window } from '../../domain/window.ts';
import { readLogs } from '../view/read-logs.ts';
import { Spill } from './spill.ts';
import { BlockWriter } from './spill-block.ts';

const folder = temporaryFolder();

const key = { podUid: 'p', container: 'c', containerId: 'id' };
const run = { key, keyText: 'p/c/id', target: {} as ContainerTarget };

function record(seq: number, message: Uint8Array, partial = false): LogRecord {
  return {
    run,
    at: { seconds: 1_795_251_616, nanos: 999_999_999 - seq },
    seq,
    message,
    partial,
    late: false,
  };
}

async function* lane(records: readonly LogRecord[], size = 7) {
  for (let at = 0; at < records.length; at += size) yield records.slice(at, at + size);
}

function manyPods(): { clock: FakeClock; cluster: FakeCluster } {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (let index = 0; index < 6; index++) {
    const entries = Array.from({ length: 500 }, (_, at) => ({
      at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + at),
      bytes: Buffer.from(`line ${at}`),
      partial: false,
    }));
    cluster.addContainer(cluster.addPod(`p${index}`), 'main', [newRun(`run-${index}`, entries)]);
  }
  return { clock, cluster };
}

test('records come back as they were, whatever their bytes and sizes', async () => {
  const spill = new Spill(6);
  const records = Array.from({ length: 300 }, (_, seq) =>
    record(seq, new Uint8Array(seq % 50 === 0 ? 70_000 : seq % 9).fill(seq % 256), seq === 299),
  );
  const back = await spill.take(lane(records), Number.POSITIVE_INFINITY);
  const read: LogRecord[] = [];
  for (let step = await back.next(); step.done !== true; step = await back.next()) {
    read.push(...step.value.map((one) => ({ ...one, message: Uint8Array.from(one.message) })));
  }
  await spill.close();
  expect(read).toEqual(records);
});

test('of a lane no more is written than the window can need', async () => {
  const spill = new Spill(6);
  const back = await spill.take(
    lane(Array.from({ length: 100 }, (_, seq) => record(seq, new Uint8Array(1)))),
    10,
  );
  let count = 0;
  for (let step = await back.next(); step.done !== true; step = await back.next()) count += step.value.length;
  await spill.close();
  expect(count).toBe(10);
});

test('of many lanes each holds little of what it reads back', async () => {
  const heldBytes = async (lanes: number) => {
    const spill = new Spill(lanes);
    const records = Array.from({ length: 3_000 }, (_, seq) => record(seq, new Uint8Array(100)));
    const back = await spill.take(lane(records), Number.POSITIVE_INFINITY);
    const step = await back.next();
    await spill.close();
    return step.done === true ? 0 : (step.value[0]?.message.buffer.byteLength ?? 0);
  };
  expect(await heldBytes(1)).toBeLessThanOrEqual(64 * 1024);
  expect(await heldBytes(1_000)).toBeLessThanOrEqual(8 * 1024);
});

onLinux('many lanes lie in one file', async () => {
  const spill = new Spill(50);
  const lanes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      spill.take(
        lane(Array.from({ length: 200 }, (_, seq) => record(seq, new Uint8Array(500).fill(index)))),
        200,
      ),
    ),
  );
  expect([folder.openFiles(), readdirSync(folder.path)]).toEqual([1, []]);
  const filled = await Promise.all(
    lanes.map(async (back) => {
      const bytes = new Set<number>();
      let count = 0;
      for (let step = await back.next(); step.done !== true; step = await back.next()) {
        count += step.value.length;
        for (const { message } of step.value) for (const byte of message) bytes.add(byte);
      }
      return [...bytes, count];
    }),
  );
  await spill.close();
  expect(filled).toEqual(lanes.map((_, index) => [index, 200]));
});

test('where nothing can be written the window is the same: it says so, and reads all containers at once', async () => {
  const read = async () => {
    const { clock, cluster } = manyPods();
    const frames = await collect(cluster, clock, planOf({}, { maxLogRequests: 2 }));
    const lines = recordsOf(frames).map(({ run, message }) => `${run.target.pod} ${Buffer.from(message)}`);
    return {
      lines,
      notices: frames.flatMap((frame) =>
        frame.type === 'notice' && frame.code !== 'source-failed' ? [noticeText(frame)] : [],
      ),
    };
  };
  const whole = await read();
  expect(whole.lines).toHaveLength(3_000);
  vi.stubEnv('TMPDIR', join(folder.path, 'not', 'there'));
  expect(await read()).toEqual({
    lines: whole.lines,
    notices: [
      expect.stringMatching(
        /^cannot write the temporary file for reading in turns \(ENOENT.*\); reading all 6 containers at once$/,
      ),
    ],
  });
});

/** Lets this many writes to files pass; later ones find the disk full. */
async function fillDisk(writes: number): Promise<void> {
  const handle = await open('/dev/null', 'w');
  const methods: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  let left = writes;
  const write = methods.write;
  vi.spyOn(methods, 'write').mockImplementation(function (this: FileHandle, ...given: never[]) {
    if (left-- > 0) return Reflect.apply(write, this, given);
    return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
  } as never);
}

onLinux(
  'where the disk gets full the window is the same: it says so, and reads all containers at once',
  async () => {
    const read = async () => {
      const { clock, cluster } = manyPods();
      const waiting = cluster.addContainer(cluster.addPod('waiting'), 'main', []);
      waiting.state = 'waiting';
      return collect(cluster, clock, planOf({}, { maxLogRequests: 2 }));
    };
    const records = (frames: readonly Frame[]) =>
      recordsOf(frames).map(({ run, message }) => `${run.target.pod} ${Buffer.from(message)}`);
    const sources = (frames: readonly Frame[]) =>
      frames
        .flatMap((frame) => (frame.type === 'source' ? [`${frame.target.pod} ${frame.state}`] : []))
        .sort();
    const whole = await read();
    expect(records(whole)).toHaveLength(3_000);
    for (const writes of [0, 1, 5]) {
      await fillDisk(writes);
      const frames = await read();
      vi.restoreAllMocks();
      expect(records(frames)).toEqual(records(whole));
      expect(sources(frames)).toEqual(sources(whole));
      expect(frames.filter(({ type }) => type === 'notice')).toEqual([
        {
          type: 'notice',
          code: 'no-temporary-file',
          data: { why: 'ENOSPC: no space left on device', containers: 7 },
        },
      ]);
      expect([folder.openFiles(), readdirSync(folder.path)]).toEqual([0, []]);
    }
  },
);

onLinux('nothing is open any more when the consumer leaves early, and nothing ever had a name', async () => {
  const { clock, cluster } = manyPods();
  const { signal } = new AbortController();
  const plan = planOf({}, { maxLogRequests: 2 });
  const context = { client: cluster.client, clock, signal };
  let wasOpen = false;
  for await (const frame of readLogs(context, cluster.sources({ follow: false }), plan)) {
    wasOpen ||= folder.openFiles() === 1;
    expect(readdirSync(folder.path)).toEqual([]);
    if (frame.type === 'records') break;
  }
  expect([wasOpen, folder.openFiles()]).toEqual([true, 0]);
});

onLinux('nothing is open any more when the read is aborted', async () => {
  const { clock, cluster } = manyPods();
  const abort = new AbortController();
  const plan = planOf({}, { maxLogRequests: 2 });
  const context = { client: cluster.client, clock, signal: abort.signal };
  let wasOpen = false;
  const reading = async () => {
    for await (const frame of readLogs(context, cluster.sources({ follow: false }), plan)) {
      wasOpen ||= folder.openFiles() === 1;
      if (frame.type === 'progress') abort.abort(new Error('interrupted'));
    }
  };
  await expect(reading()).rejects.toThrow('interrupted');
  expect([wasOpen, folder.openFiles(), readdirSync(folder.path)]).toEqual([true, 0, []]);
});

onLinux('nothing is open any more at the end of the window', async () => {
  const { clock, cluster } = manyPods();
  await collect(cluster, clock, planOf({}, { maxLogRequests: 2 }));
  expect([folder.openFiles(), readdirSync(folder.path)]).toEqual([0, []]);
});

test('a search writes only matches, and reads no more of a container than the window can need', async () => {
  const written = vi.spyOn(BlockWriter.prototype, 'add');
  onTestFinished(() => written.mockRestore());
  const search = async (selection: Selection, grep: string, bounds: Partial<Window> = {}) => {
    const { clock, cluster } = manyPods();
    cluster.chunkBytes = () => 512;
    written.mockClear();
    const plan = planOf(
      { selection, ...bounds },
      { maxLogRequests: 2, filter: { ...NO_FILTER, grep, exclude: ['99'] } },
    );
    const texts = recordsOf(await collect(cluster, clock, plan)).map(
      ({ message }) => `${Buffer.from(message)}`,
    );
    return { texts, written: written.mock.calls.length, bytes: cluster.bytesServed };
  };
  const sixTimes = (...texts: readonly string[]) => texts.flatMap((text) => Array(6).fill(text));
  const all = await search({ kind: 'all' }, '7$');
  expect(all.texts).toHaveLength(6 * 50);
  expect(all.written).toBe(6 * 50);
  const head = await search({ kind: 'head', count: 13 }, 'line [0-9]*5$');
  expect(head.texts).toEqual([...sixTimes('line 5', 'line 15'), 'line 25']);
  expect(head.bytes).toBeLessThan(all.bytes / 2);
  const until = { to: { kind: 'strict', at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + 16) } } as const;
  expect((await search({ kind: 'all' }, '[56]$', until)).texts).toEqual(
    sixTimes('line 5', 'line 6', 'line 15'),
  );
  expect((await search({ kind: 'head', count: 0 }, '5$')).texts).toEqual([]);
});

test('a search that is written first reports whether there are more than requested, even if one container has them all', async () => {
  const { clock, cluster } = manyPods();
  const entries = Array.from({ length: 4 }, (_, at) => ({
    at: timestampFromMs(Date.UTC(2026, 10, 21, 10) + at),
    bytes: Buffer.from(`found ${at}`),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('other'), 'main', [newRun('other', entries)]);
  for (const [count, cut] of [
    [3, true],
    [4, false],
  ] as const) {
    const filter = { ...NO_FILTER, grep: 'found' };
    const selection = { kind: 'head', count } as const;
    const frames = await collect(cluster, clock, planOf({ selection }, { maxLogRequests: 2, filter }));
    expect(recordsOf(frames)).toHaveLength(count);
    expect(frames.at(-1)).toMatchObject({ type: 'end', cut });
  }
});

test('cursors of a search that is written first count all lines, as those of one that is not', async () => {
  const { clock, cluster } = manyPods();
  const entries = Array.from({ length: 500 }, (_, at) => ({
    at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + at),
    bytes: Buffer.from('noise'),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('noise'), 'main', [newRun('noise', entries)]);
  const filter = { ...NO_FILTER, grep: 'line' };
  const selection = { kind: 'head', count: 4 } as const;
  const ways = [2, 100].map(async (maxLogRequests) => {
    const first = await collect(
      cluster,
      clock,
      planOf({ selection }, { maxLogRequests, filter, cursors: true }),
    );
    const end = first.at(-1);
    const next = end?.type === 'end' ? end.next : undefined;
    const from = next && ({ kind: 'cursor', cursor: next } as const);
    const second = await collect(cluster, clock, planOf({ selection, from }, { maxLogRequests, filter }));
    const names = [first, second].map((frames) => recordsOf(frames).map(({ run }) => run.target.pod));
    return { next, names };
  });
  const [spilled, direct] = await Promise.all(ways);
  expect(direct?.next?.shown).toBe(5);
  expect(direct?.names).toEqual([
    ['p0', 'p1', 'p2', 'p3'],
    ['p4', 'p5', 'p0', 'p1'],
  ]);
  expect(spilled).toEqual(direct);
});
