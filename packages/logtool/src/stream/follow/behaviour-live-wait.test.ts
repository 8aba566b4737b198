import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { Chance } from '../../../../../test/support/engine/random-workload.ts';
import { compareRecords, type LogRecord, makeRun } from '../../domain/record.ts';
import { type LiveInput, LiveMerge, REORDER_MS } from './live-merge.ts';

/** Set LOGTOOL_SEED to the number in a failure's message to replay it. */
const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

interface Shown {
  readonly text: string;
  readonly record: LogRecord;
  readonly atMs: number;
}

/** A container on a node whose clock is ahead by this much. */
class Writer {
  readonly input: LiveInput;
  readonly #make: (stampMs: number, text: string) => LogRecord;
  readonly #clock: FakeClock;
  readonly #aheadMs: number;

  constructor(merge: LiveMerge, clock: FakeClock, name: string, host: { node?: string; aheadMs: number }) {
    const cluster = new FakeCluster(clock);
    const pod = cluster.addPod(name);
    cluster.addContainer(pod, 'main');
    const target = { ...cluster.targetsOf(pod)[0]!, placement: { node: host.node } };
    const source = makeRun(target, 'run');
    let seq = 0;
    this.input = merge.join(target);
    this.#clock = clock;
    this.#aheadMs = host.aheadMs;
    this.#make = (stampMs, text) => ({
      run: source,
      at: timestampFromMs(stampMs),
      seq: seq++,
      message: Buffer.from(text),
      partial: false,
      late: false,
    });
  }

  /** Delivers a line written this many ms ago. */
  arrive(text: string, delayMs: number): LogRecord {
    const record = this.#make(this.#clock.now() + this.#aheadMs - delayMs, text);
    void this.input.push([record]);
    return record;
  }
}

function setUp(options: { readonly waits?: boolean } = {}) {
  const clock = new FakeClock();
  const merge = new LiveMerge(clock, undefined, options);
  const shown: Shown[] = [];
  void (async () => {
    for await (const frame of merge.frames())
      for (const record of frame.type === 'records' ? frame.records : [])
        shown.push({
          record,
          atMs: clock.steady(),
          text: `${Buffer.from(record.message)}${record.late ? ' late' : ''}`,
        });
  })();
  const open = (name: string, host: { node?: string; aheadMs?: number } = {}) =>
    new Writer(merge, clock, name, { aheadMs: 0, ...host });
  /** Returns the records shown from now on, after this many ms. */
  const after = async (ms: number) => {
    await clock.advance(ms);
    return shown.splice(0).map(({ text }) => text);
  };
  /** Follows for long enough, with this many ms from writing to arrival. */
  const settled = async (writer: Writer, delayMs: number) => {
    writer.input.connected();
    await clock.advance(1_000);
    for (let line = 0; line < 3; line++) {
      writer.arrive('before', delayMs);
      await clock.advance(REORDER_MS);
    }
    shown.length = 0;
  };
  return { clock, merge, shown, open, after, settled };
}

test('a line of the only container is handed out at once, connected for long or not', async () => {
  const { open, after } = setUp();
  const one = open('one');
  one.arrive('first', 5_000);
  expect(await after(2)).toEqual(['first']);
  one.input.connected();
  one.arrive('second', 0);
  expect(await after(2)).toEqual(['second']);
});

test('lines of the only container that arrive right after each other come in the order of their times', async () => {
  const { open, after } = setUp();
  const one = open('one');
  one.arrive('second', 0);
  expect(await after(1)).toEqual([]);
  one.arrive('first', 2);
  expect(await after(2)).toEqual(['first', 'second']);
});

test('a container whose lines step back is waited for as long as that takes', async () => {
  const { open, after } = setUp();
  const one = open('one');
  one.arrive('first', 0);
  expect(await after(10)).toEqual(['first']);
  one.arrive('back', 20);
  expect(await after(1)).toEqual(['back late']);
  one.arrive('third', 0);
  expect(await after(12)).toEqual([]);
  one.arrive('in between', 20);
  expect(await after(7)).toEqual([]);
  expect(await after(1)).toEqual(['in between', 'third']);
});

test('a line waits 100 ms while another container is not connected, or has just been connected', async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two', { node: 'n' })];
  await settled(one, 1);
  one.arrive('a', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  expect(await after(1)).toEqual(['a']);
  two.input.connected();
  await after(800);
  one.arrive('b', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  expect(await after(1)).toEqual(['b']);
  await after(REORDER_MS);
  one.arrive('c', 0);
  expect(await after(20)).toEqual(['c']);
  two.input.away();
  one.arrive('d', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
});

test('a line waits 100 ms while nothing is known of the node of another container', async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two', { node: 'm' })];
  await settled(one, 1);
  two.input.connected();
  await after(5_000);
  one.arrive('a', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  expect(await after(1)).toEqual(['a']);
});

test('a line waits as long as lines of other nodes take, however far our clock is from theirs', async () => {
  for (const aheadMs of [-5_000, 0, 5_000]) {
    const { open, after, settled } = setUp();
    const [one, two] = [open('one', { node: 'n', aheadMs }), open('two', { node: 'm', aheadMs })];
    await settled(two, 10);
    await settled(one, 1);
    one.arrive('second', 1);
    expect(await after(8)).toEqual([]);
    two.arrive('first', 11);
    expect(await after(20)).toEqual(['first', 'second']);
  }
});

test('waits for a node with a slow clock no longer than the window, nor less than its lines take', async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two', { node: 'm', aheadMs: -40 })];
  await settled(two, 1);
  await settled(one, 1);
  one.arrive('a', 0);
  expect(await after(55)).toEqual([]);
  expect(await after(2)).toEqual(['a']);
  const [three, four] = [open('three', { node: 'n' }), open('four', { node: 'o', aheadMs: -4_000 })];
  await settled(four, 1);
  await settled(three, 1);
  three.arrive('b', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  expect(await after(1)).toEqual(['b']);
});

test('a line is handed out at once where all others have given a later one', async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two', { node: 'm' })];
  await settled(one, 50);
  await settled(two, 50);
  one.arrive('first', 1);
  two.arrive('second', 0);
  expect(await after(2)).toEqual(['first']);
  expect(await after(REORDER_MS)).toEqual(['second']);
});

test('where lines before a match are shown, every line waits for 100 ms', async () => {
  const { open, after } = setUp({ waits: true });
  open('one').arrive('a', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  expect(await after(1)).toEqual(['a']);
});

test('a container that left is waited for no longer', async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two')];
  await settled(one, 1);
  one.arrive('a', 0);
  expect(await after(20)).toEqual([]);
  two.input.leave();
  expect(await after(2)).toEqual(['a']);
});

test("a pod whose node becomes known shares the node's delays", async () => {
  const { open, after, settled } = setUp();
  const [one, two] = [open('one', { node: 'n' }), open('two')];
  await settled(one, 1);
  two.input.connected();
  await after(1_000);
  one.arrive('a', 0);
  expect(await after(REORDER_MS - 1)).toEqual([]);
  await after(1);
  const { run } = one.arrive('b', 0);
  two.input.see(run.target);
  await after(REORDER_MS);
  one.arrive('c', 0);
  expect(await after(20)).toEqual(['c']);
});

interface RandomWriter {
  readonly writer: ReturnType<ReturnType<typeof setUp>['open']>;
  /** The longest time that a line of it took so far. */
  readonly delayMs: number;
  /** The time of its last line. */
  dueMs: number;
}

/** Lets lines arrive at random times; returns when each did. */
async function arriveAtRandom(
  { clock }: Pick<ReturnType<typeof setUp>, 'clock'>,
  writers: readonly RandomWriter[],
  chance: Chance,
): Promise<ReadonlyMap<string, number>> {
  const arrivedMs = new Map<string, number>();
  for (let step = 0; step < 300; step++) {
    for (const each of writers) {
      if (!chance.isTrue(0.2)) continue;
      // In file order: a line does not overtake the previous one.
      const delayMs = chance.int(0, each.delayMs + 10);
      if (clock.now() - delayMs < each.dueMs) continue;
      each.dueMs = clock.now() - delayMs;
      each.writer.arrive(`line ${arrivedMs.size}`, delayMs);
      arrivedMs.set(`line ${arrivedMs.size}`, clock.steady());
    }
    await clock.advance(chance.int(1, 12));
  }
  return arrivedMs;
}

test('lines that take no longer than others of their node did come in order, and none waits for more than 100 ms', async () => {
  for (let round = 0; round < 30; round++) {
    const seed = SEED + round;
    const chance = new Chance(seed);
    const view = setUp();
    const { clock, merge, shown, open, settled } = view;
    const nodes = Array.from({ length: chance.int(1, 3) }, (_, index) => ({
      name: `n${index}`,
      delayMs: chance.int(0, 60),
      aheadMs: chance.int(-20, 20),
    }));
    const writers = await Promise.all(
      Array.from({ length: chance.int(1, 6) }, async (_, index) => {
        const { name, aheadMs, delayMs } = nodes[index % nodes.length]!;
        return { writer: open(`w${index}`, { node: name, aheadMs }), delayMs, dueMs: 0 };
      }),
    );
    for (const { writer, delayMs } of writers) await settled(writer, delayMs);
    const arrivedMs = await arriveAtRandom(view, writers, chance);
    await clock.advance(REORDER_MS);
    merge.close();
    expect(shown.length, `LOGTOOL_SEED=${seed}`).toBe(arrivedMs.size);
    for (const { text, record, atMs } of shown) {
      expect(record.late, `LOGTOOL_SEED=${seed}: ${text}`).toBe(false);
      expect(atMs - (arrivedMs.get(text) ?? 0)).toBeLessThanOrEqual(REORDER_MS);
    }
    for (const [index, { record }] of shown.slice(1).entries())
      expect(compareRecords(shown[index]!.record, record)).toBeLessThan(0);
  }
});
