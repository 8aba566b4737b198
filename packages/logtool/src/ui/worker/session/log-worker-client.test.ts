import { expect, onTestFinished, test, vi } from 'vitest';
import type { FromWorker, ToWorker } from '../protocol/protocol.ts';
import { createLogWorker, type WorkerPort, warmLogWorker } from './log-worker-client.ts';

/** A worker whose answers come from the test. */
class FakePort implements WorkerPort {
  readonly received: ToWorker[] = [];
  isTerminated = false;
  readonly #listeners = new Map<string, (event: never) => void>();

  postMessage(message: ToWorker): void {
    this.received.push(message);
  }

  addEventListener(type: 'message' | 'error', listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(data: FromWorker): void {
    this.#listeners.get('message')?.({ data } as never);
  }

  fail(message: string): void {
    this.#listeners.get('error')?.({ message } as never);
  }
}

function open() {
  const port = new FakePort();
  const failures: string[] = [];
  const worker = createLogWorker({
    basePath: '/logs',
    token: 't',
    spawn: () => port,
    onFailure: ({ message }) => failures.push(message),
  });
  return { port, worker, failures };
}

const text = (request: number, value: string): FromWorker => ({
  type: 'text',
  request,
  text: value,
  lines: 1,
  link: undefined,
});

test('the worker is started with the server, the token and the limits', () => {
  const { port } = open();
  expect(port.received).toEqual([
    { type: 'start', basePath: '/logs', token: 't', limits: { lines: 1_000_000, bytes: 536_870_912 } },
  ]);
});

test('each question gets its own answer, in whatever order they come', async () => {
  const { port, worker } = open();
  const first = worker.ask({ type: 'text', entries: [1] });
  const second = worker.ask({ type: 'text', entries: [2] });
  const numbers = port.received.flatMap((message) => ('request' in message ? [message.request] : []));
  expect(new Set(numbers).size).toBe(2);
  port.answer(text(numbers[1] as number, 'two'));
  port.answer(text(numbers[0] as number, 'one'));
  expect([(await first).text, (await second).text]).toEqual(['one', 'two']);
});

test('messages go to the subscribers of their type, until they unsubscribe', () => {
  const { port, worker } = open();
  const reasons: string[] = [];
  const end = worker.subscribe('signed-out', ({ error }) => reasons.push(error.code));
  worker.subscribe('sources', () => reasons.push('sources'));
  port.answer({ type: 'signed-out', error: { code: 'expired', data: {} } });
  end();
  port.answer({ type: 'signed-out', error: { code: 'again', data: {} } });
  expect(reasons).toEqual(['expired']);
});

test('a failing worker rejects waiting and later requests, and is reported', async () => {
  const { port, worker, failures } = open();
  const waiting = worker.ask({ type: 'histogram', buckets: 10 });
  port.fail('out of memory');
  await expect(waiting).rejects.toThrow('out of memory');
  await expect(worker.ask({ type: 'text', entries: [] })).rejects.toThrow('out of memory');
  expect(failures).toEqual(['The log worker failed: out of memory']);
});

test('closing ends the worker and what waits for it', async () => {
  const { port, worker, failures } = open();
  const waiting = worker.ask({ type: 'text', entries: [] });
  worker.close();
  await expect(waiting).rejects.toThrow('closed');
  expect(port.received.at(-1)).toEqual({ type: 'close' });
  expect(port.isTerminated).toBe(true);
  expect(failures).toEqual([]);
});

test('a worker that was started ahead of time is used once, and never when it failed', () => {
  const started: FakePort[] = [];
  class Started extends FakePort {
    constructor() {
      super();
      started.push(this);
    }
  }
  vi.stubGlobal('Worker', Started);
  onTestFinished(() => void vi.unstubAllGlobals());
  const options = { basePath: '', token: 't' };
  warmLogWorker();
  warmLogWorker();
  expect(started).toHaveLength(1);
  createLogWorker(options);
  expect(started).toHaveLength(1);
  expect(started[0]?.received).toHaveLength(1);
  createLogWorker(options);
  expect(started).toHaveLength(2);
  warmLogWorker();
  started[2]?.fail('it cannot be loaded');
  createLogWorker(options);
  expect(started).toHaveLength(4);
  expect(started[2]?.received).toEqual([]);
});
