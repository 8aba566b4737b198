import { expect, test } from 'vitest';
import { FakeClock } from '../../domain/clock.ts';
import type { KubeClient, KubeObject, ReflectorEvent, RequestOptions } from '../../kube/client.ts';
import { KubeError } from '../../kube/errors.ts';
import type { FeedListener } from './feed-listener.ts';
import type { StateFrame } from './feed-state.ts';
import { WorkloadFeed } from './workload-feed.ts';

/** A cluster that does not answer until it is told to. Counts how often it was asked. */
function awayCluster() {
  const cluster = { context: 'test', server: 'https://test', namespace: 'default', user: 'test' };
  const state = { isBack: false, asked: 0 };
  const reflect = async function* (
    _type: unknown,
    _query: unknown,
    { signal }: RequestOptions,
  ): AsyncGenerator<ReflectorEvent<KubeObject>> {
    state.asked++;
    if (!state.isBack) throw new KubeError({ kind: 'connection', message: 'connection refused' });
    yield { type: 'snapshot', objects: [] };
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  };
  return { state, client: { cluster, reflect } as unknown as KubeClient };
}

function listener(states: StateFrame[] = []): FeedListener & { readonly ready: () => number } {
  let ready = 0;
  return {
    ready: () => ready,
    onListed: () => undefined,
    onReady: () => ready++,
    onChanges: () => undefined,
    onDenied: () => undefined,
    onState: (state) => states.push(state),
  };
}

test('whoever asks while a cluster is away has it asked at once, and what was there before hears of it', async () => {
  const clock = new FakeClock();
  const { state, client } = awayCluster();
  const feed = new WorkloadFeed({ client, clock, allowedNamespaces: [], onClose: () => undefined });
  const states: StateFrame[] = [];
  const first = listener(states);
  feed.add(first, []);
  await clock.advance(10_000);
  expect(feed.state).toMatchObject({ state: 'retrying', retryInMs: expect.any(Number) });
  state.isBack = true;
  const asked = state.asked;
  await clock.advance(0);
  expect(state.asked).toBe(asked);
  const second = listener();
  feed.add(second, []);
  await clock.advance(0);
  expect(state.asked).toBe(asked + 8);
  expect([first.ready(), second.ready()]).toEqual([1, 1]);
  expect(states.at(-1)).toEqual({ type: 'state', state: 'live' });
  // What answers is not asked anew.
  feed.add(listener(), []);
  await clock.advance(0);
  expect(state.asked).toBe(asked + 8);
  feed.close();
  expect(clock.pending).toBe(0);
});
