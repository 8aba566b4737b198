import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { mergeOrdered } from './merge.ts';

function record(lane: string, nanos: number, seq = 0): LogRecord {
  const key = { podUid: lane, container: 'c', containerId: '' };
  const run = { key, keyText: lane, target: {} as ContainerTarget };
  return { run, at: { seconds: 1, nanos }, seq, message: new Uint8Array(0), partial: false, late: false };
}

class Lane {
  pulls = 0;
  closed = false;
  readonly #batches: LogRecord[][];

  constructor(batches: LogRecord[][]) {
    this.#batches = batches;
  }

  async *batches() {
    try {
      for (const batch of this.#batches) {
        this.pulls++;
        yield batch;
      }
    } finally {
      this.closed = true;
    }
  }
}

async function names(merged: AsyncIterable<readonly LogRecord[]>): Promise<string[]> {
  const list: string[] = [];
  for await (const batch of merged)
    list.push(...batch.map(({ run, at, seq }) => `${at.nanos}${run.keyText}${seq}`));
  return list;
}

test('lanes are merged by time, then by container, then by place', async () => {
  const a = new Lane([[record('a', 1), record('a', 3, 1)], [], [record('a', 3, 2)]]);
  const b = new Lane([[record('b', 1), record('b', 3, 1)], [record('b', 4, 2)]]);
  const merged = mergeOrdered([b.batches(), new Lane([]).batches(), a.batches()]);
  expect(await names(merged)).toEqual(['1a0', '1b0', '3a1', '3a2', '3b1', '4b2']);
});

test('a lane reads one batch ahead and no more while the consumer is slow', async () => {
  const batches = (name: string) => Array.from({ length: 50 }, (_, index) => [record(name, index)]);
  const lanes = [new Lane(batches('a')), new Lane(batches('b'))];
  const merged = mergeOrdered(lanes.map((lane) => lane.batches()));
  await merged.next();
  expect(Math.max(...lanes.map(({ pulls }) => pulls))).toBeLessThanOrEqual(3);
  await merged.return(undefined);
});

test('a batch that is used up holds its records no longer', async () => {
  const first = [record('a', 1), record('a', 3)];
  const lanes = [new Lane([first, [record('a', 5)]]), new Lane([[record('b', 2), record('b', 6)]])];
  const merged = mergeOrdered(lanes.map((lane) => lane.batches()));
  expect(await names(merged)).toEqual(['1a0', '2b0', '3a0', '5a0', '6b0']);
  expect(first).toEqual([]);
});

test('left early, it stops what a lane waits for and closes every lane', async () => {
  const a = new Lane([[record('a', 1)], [record('a', 2)], [record('a', 3)]]);
  let stopWaiting = (_: Error) => {};
  const waiting = new Promise<never>((_, reject) => {
    stopWaiting = reject;
  });
  let closed = false;
  async function* stuck() {
    try {
      yield [record('b', 1)];
      await waiting;
    } finally {
      closed = true;
    }
  }
  const merged = mergeOrdered([a.batches(), stuck()], () => stopWaiting(new Error('stopped')));
  await merged.next();
  await merged.return(undefined);
  expect([a.closed, closed]).toEqual([true, true]);
});

test('a lane that fails ahead fails the merge when its turn comes, not before', async () => {
  async function* failing() {
    yield [record('a', 1)];
    throw new Error('broken');
  }
  const seen: number[] = [];
  const reading = async () => {
    for await (const batch of mergeOrdered([failing()])) seen.push(batch.length);
  };
  await expect(reading()).rejects.toThrow('broken');
  expect(seen).toEqual([1]);
});
