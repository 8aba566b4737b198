import { expect, test, vi } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import type { WorkloadFrame } from '../../../contract/workload.ts';
import { WorkloadFeed } from './workload-feed.ts';
import type { WorkloadList } from './workload-store.ts';

type Stream = (signal: AbortSignal) => AsyncGenerator<readonly WorkloadFrame[]>;
const snapshot: readonly WorkloadFrame[] = [
  { type: 'snapshot', workloads: [makeWorkload({ name: 'web' })], pods: 2 },
  { type: 'synced' },
];

/** Makes a feed that gets these streams one after the other; the last one repeats. */
function feedOf(...streams: readonly [Stream, ...Stream[]]) {
  let opened = 0;
  const onReconnected = vi.fn();
  const api = {
    stream: (_name: string, { signal }: { signal: AbortSignal }) =>
      (streams[Math.min(opened++, streams.length - 1)] ?? streams[0])(signal),
  } as unknown as ApiClient;
  let isHidden = false;
  const listeners = new Set<() => void>();
  const visibility = {
    isHidden: () => isHidden,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const hide = (hidden: boolean) => {
    isHidden = hidden;
    for (const listener of [...listeners]) listener();
  };
  const feed = new WorkloadFeed({ api, context: 'prod', namespaces: [], visibility, onReconnected });
  return { feed, onReconnected, opened: () => opened, hide, listeners };
}

const live: Stream = async function* (signal) {
  yield snapshot;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
};
/** Like the server, sends a heartbeat every 15 s. */
const beating: Stream = async function* (signal) {
  yield snapshot;
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 15_000);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    yield [{ type: 'heartbeat', at: 0 }];
  }
};
const refused: (status: number) => Stream = (status) =>
  async function* () {
    yield* [];
    throw new ApiError(status, { code: 'no', data: { status } });
  };

/** Subscribes until the list meets a condition. */
function until(feed: WorkloadFeed, isWanted: (list: WorkloadList) => boolean): Promise<WorkloadList> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    const check = () => {
      if (!isWanted(feed.list())) return;
      queueMicrotask(() => stop?.());
      resolve(feed.list());
    };
    stop = feed.subscribe(check);
    check();
  });
}

test('opens a stream for the first listener, and ends it after the last', async () => {
  let ended: () => void;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { feed, opened } = feedOf(async function* (signal) {
    signal.addEventListener('abort', () => ended());
    yield* live(signal);
  });
  expect(opened()).toBe(0);
  await until(feed, (list) => list.isComplete);
  await end;
  expect(feed.list().workloads.size).toBe(1);
});

test('a lost stream keeps the rows, says when it tries again, and Retry tries at once', async () => {
  const cut: Stream = async function* () {
    yield snapshot;
    throw new ApiError(0, { code: 'server-unreachable', data: { cause: 'Failed to fetch' } });
  };
  const { feed, onReconnected } = feedOf(cut, live);
  const keep = feed.subscribe(() => undefined);
  const lost = await until(feed, (list) => list.feed.state === 'retrying');
  expect(lost.workloads.size).toBe(1);
  expect(lost.feed).toMatchObject({ who: 'server', error: { code: 'server-unreachable' } });
  expect(onReconnected).not.toHaveBeenCalled();
  feed.retry();
  await until(feed, (list) => list.feed.state === 'live');
  expect(onReconnected).toHaveBeenCalledTimes(1);
  keep();
});

test('a refusal that would be the same again waits for Retry', async () => {
  const { feed, opened } = feedOf(refused(404), live);
  const keep = feed.subscribe(() => undefined);
  const failed = await until(feed, (list) => list.feed.state === 'failed');
  expect(failed.feed).toMatchObject({ error: { code: 'no', data: { status: 404 } } });
  expect(opened()).toBe(1);
  feed.retry();
  await until(feed, (list) => list.isComplete);
  keep();
});

test('denials of a stream before are forgotten when a new one begins', async () => {
  const denying: Stream = async function* () {
    yield [{ type: 'denied', namespace: 'vault', error: { code: 'forbidden', data: {} } }, ...snapshot];
    throw new ApiError(0, { code: 'cut', data: {} });
  };
  const { feed } = feedOf(denying, live);
  const keep = feed.subscribe(() => undefined);
  await until(feed, (list) => list.feed.state === 'retrying');
  expect(feed.list().denied).toHaveLength(1);
  feed.retry();
  await until(feed, (list) => list.feed.state === 'live');
  expect(feed.list().denied).toEqual([]);
  keep();
});

test('a tab that is hidden for long lets go of its stream, keeps its rows, and opens another when it is seen', async () => {
  vi.useFakeTimers();
  try {
    const { feed, opened, hide, onReconnected } = feedOf(beating);
    const keep = feed.subscribe(() => undefined);
    await expect.poll(() => feed.list().isComplete).toBe(true);
    hide(true);
    await vi.advanceTimersByTimeAsync(29_000);
    hide(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened()).toBe(1);
    hide(true);
    await vi.advanceTimersByTimeAsync(31_000);
    expect([opened(), feed.list().workloads.size]).toEqual([1, 1]);
    hide(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(opened()).toBe(2);
    expect(onReconnected).not.toHaveBeenCalled();
    keep();
    await vi.advanceTimersByTimeAsync(0);
  } finally {
    vi.useRealTimers();
  }
});
