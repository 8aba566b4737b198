import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MatchRequest, Messages } from './match-messages.ts';
import { MatchPool } from './match-pool.ts';

/** A thread that does nothing by itself. */
class FakeThread extends EventEmitter {
  readonly jobs: Extract<MatchRequest, { type: 'job' }>[] = [];
  readonly forgotten: number[] = [];
  isEnded = false;
  keepsRunning = true;

  postMessage(request: MatchRequest): void {
    if (request.type === 'job') this.jobs.push(request);
    else this.forgotten.push(request.id);
  }

  ref(): void {
    this.keepsRunning = true;
  }

  unref(): void {
    this.keepsRunning = false;
  }

  async terminate(): Promise<number> {
    this.isEnded = true;
    return 1;
  }

  /** Answers the last job. */
  finish(passed: readonly number[] = []): void {
    this.emit('message', { job: this.jobs.at(-1)?.job, passed: Uint8Array.from(passed) });
  }
}

const SET = { include: { text: 'a.c', ignoreCase: false, use: 'grep' as const }, also: [], excludes: [] };
let threads: FakeThread[];

beforeEach(() => {
  threads = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function poolOf(size: number) {
  const pool = new MatchPool(size, () => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread as unknown as Worker;
  });
  const messages = (): Messages => ({ bytes: new Uint8Array(3), ends: Uint32Array.of(3) });
  const done: string[] = [];
  const run = (name: string, person = name, signal?: AbortSignal, id = pool.newSet()) =>
    pool.run({ id, set: SET, person }, messages(), signal).then(
      () => void done.push(name),
      (error: Error & { code?: string }) => void done.push(`${name}: ${error.code ?? error.message}`),
    );
  return { pool, run, done };
}
const turn = () => vi.advanceTimersByTimeAsync(0);

test('people get their turns one after the other, however many jobs one of them has', async () => {
  const { run, done } = poolOf(1);
  for (let job = 1; job <= 3; job++) void run(`eve ${job}`, 'eve');
  void run('ann');
  void run('bob');
  for (let job = 0; job < 5; job++) {
    threads[0]?.finish([1]);
    await turn();
  }
  expect(done).toEqual(['eve 1', 'eve 2', 'ann', 'bob', 'eve 3']);
  expect(threads).toHaveLength(1);
});

test('there are no more threads than there may be, and none before there is work', async () => {
  const { run } = poolOf(2);
  expect(threads).toHaveLength(0);
  for (let job = 0; job < 5; job++) void run(`${job}`);
  expect(threads.map(({ jobs }) => jobs.length)).toEqual([1, 1]);
});

test('a thread gets a set once, and a message when it may forget it', async () => {
  const { pool, run } = poolOf(1);
  const id = pool.newSet();
  for (let job = 0; job < 2; job++) {
    void run('ann', 'ann', undefined, id);
    threads[0]?.finish();
    await turn();
  }
  expect(threads[0]?.jobs.map(({ set }) => set)).toEqual([SET, undefined]);
  pool.forget(id);
  expect(threads[0]?.forgotten).toEqual([id]);
});

test('what is canceled is over at once; its thread is ended where it does not end by itself', async () => {
  const { run, done } = poolOf(1);
  const stop = new AbortController();
  void run('eve', 'eve', stop.signal);
  void run('eve waits', 'eve', stop.signal);
  void run('ann');
  stop.abort(new Error('gone'));
  await turn();
  expect(done).toEqual(['eve: gone', 'eve waits: gone']);
  expect(threads[0]?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(50);
  expect(threads[0]?.isEnded).toBe(true);
  threads[1]?.finish();
  await turn();
  expect(done).toEqual(['eve: gone', 'eve waits: gone', 'ann']);
});

test('what is canceled and ends in time keeps its thread', async () => {
  const { run } = poolOf(1);
  const stop = new AbortController();
  void run('eve', 'eve', stop.signal);
  stop.abort(new Error('gone'));
  threads[0]?.finish();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(threads[0]).toMatchObject({ isEnded: false, keepsRunning: false });
});

test('a job that takes too long ends with its thread, and the next one gets another', async () => {
  const { run, done } = poolOf(1);
  void run('eve');
  void run('ann');
  await vi.advanceTimersByTimeAsync(20_000);
  threads[1]?.finish();
  await turn();
  expect(done).toEqual(['eve: match-too-slow', 'ann']);
});

test.each([
  ['error', Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })],
  ['exit', 1],
])('a thread that fails (%s) fails only its job', async (event, given) => {
  const { run, done } = poolOf(1);
  void run('eve');
  void run('ann');
  threads[0]?.emit(event, given);
  threads[1]?.finish();
  await turn();
  expect(done).toEqual(['eve: match-failed', 'ann']);
});

test('a thread that has nothing to do keeps no process running, and ends after a while', async () => {
  const { run } = poolOf(1);
  void run('ann');
  expect(threads[0]?.keepsRunning).toBe(true);
  threads[0]?.finish();
  await turn();
  expect(threads[0]).toMatchObject({ keepsRunning: false, isEnded: false });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(threads[0]?.isEnded).toBe(true);
});
