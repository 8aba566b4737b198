import { expect, test, vi } from 'vitest';
import { type ApiClient, ApiError } from '../../contract/client.ts';
import type { WorkloadFrame } from '../../contract/workload.ts';
import { makeWorkload } from './testing/make-workload.ts';
import { WorkloadFeed } from './workload-feed.ts';
import type { WorkloadList } from './workload-store.ts';

type Stream = (signal: AbortSignal) => AsyncGenerator<readonly WorkloadFrame[]>;
const snapshot: readonly WorkloadFrame[] = [
  { type: 'snapshot', workloads: [makeWorkload({ name: 'web' })], pods: 2 },
  { type: 'synced' },
];

/** A feed whose streams are given one after the other; the last one again and again. */
function feedOf(...streams: readonly [Stream, ...Stream[]]) {
  let opened = 0;
  const onReconnected = vi.fn();
  const api = {
    stream: (_name: string, { signal }: { signal: AbortSignal }) =>
      (streams[Math.min(opened++, streams.length - 1)] ?? streams[0])(signal),
  } as unknown as ApiClient;
  const feed = new WorkloadFeed({ api, context: 'prod', namespaces: [], onReconnected });
  return { feed, onReconnected, opened: () => opened };
}

const live: Stream = async function* (signal) {
  yield snapshot;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
};
const refused: (status: number) => Stream = (status) =>
  async function* () {
    yield* [];
    throw new ApiError(status, { code: 'no', what: `refused with ${status}` });
  };

/** Listens until the list is as wanted, then stops. */
function until(feed: WorkloadFeed, isWanted: (list: WorkloadList) => boolean): Promise<WorkloadList> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    const look = () => {
      if (!isWanted(feed.list())) return;
      queueMicrotask(() => stop?.());
      resolve(feed.list());
    };
    stop = feed.subscribe(look);
    look();
  });
}

test('a stream is opened when somebody listens, and ended when nobody does', async () => {
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
    throw new ApiError(0, { code: 'server-unreachable', what: 'logtool does not answer' });
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
  expect(failed.feed).toMatchObject({ error: { what: 'refused with 404' } });
  expect(opened()).toBe(1);
  feed.retry();
  await until(feed, (list) => list.isComplete);
  keep();
});

test('denials of a stream before are forgotten when a new one begins', async () => {
  const denying: Stream = async function* () {
    yield [{ type: 'denied', namespace: 'vault', error: { code: 'forbidden', what: 'no' } }, ...snapshot];
    throw new ApiError(0, { code: 'cut', what: 'cut' });
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
