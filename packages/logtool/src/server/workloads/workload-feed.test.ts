import type {
  CollectionQuery,
  KubeClient,
  KubeObject,
  ReflectorEvent,
  RequestOptions,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { MAX_BY_NAME } from './asked-namespaces.ts';
import type { FeedListener } from './feed-listener.ts';
import type { StateFrame } from './feed-state.ts';
import { WorkloadFeed } from './workload-feed.ts';

/** A cluster that does not answer until the test allows it. Counts the requests. */
function awayCluster(retryAfterMs?: number) {
  const state = { isBack: false, asked: 0 };
  const reflect = async function* (
    _type: unknown,
    _query: unknown,
    { signal }: RequestOptions = {},
  ): AsyncGenerator<ReflectorEvent<KubeObject>> {
    state.asked++;
    if (!state.isBack)
      throw new KubeError({ kind: 'connection', message: 'connection refused', retryAfterMs });
    yield { type: 'snapshot', objects: [] };
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  };
  return { state, client: fakeClient({ reflect }) };
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

test('retries a cluster after the time that it asks to wait', async () => {
  const clock = new FakeClock();
  const { state, client } = awayCluster(60_000);
  const feed = new WorkloadFeed({ client, clock, allowedNamespaces: [], onClose: () => undefined });
  await clock.advance(59_999);
  const asked = state.asked;
  expect(feed.state.retryInMs).toBeGreaterThanOrEqual(0);
  await clock.advance(1);
  expect(state.asked).toBe(2 * asked);
  feed.close();
});

test('a request while a cluster is away asks it at once, and earlier listeners get the answer', async () => {
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
  // A cluster that answers gets no new request.
  feed.add(listener(), []);
  await clock.advance(0);
  expect(state.asked).toBe(asked + 8);
  feed.close();
  expect(clock.pending).toBe(0);
});

/** A cluster that forbids cluster-wide lists, allows some namespaces by name, and counts the watches. */
function closedCluster(isOpen: (namespace: string) => boolean) {
  const watched = new Map<string, number>();
  const denied = () => new KubeError({ kind: 'forbidden', message: 'no' });
  const reflect = async function* (
    _type: unknown,
    { namespace }: CollectionQuery,
    { signal }: RequestOptions = {},
  ): AsyncGenerator<ReflectorEvent<KubeObject>> {
    if (namespace === undefined || !isOpen(namespace)) throw denied();
    watched.set(namespace, (watched.get(namespace) ?? 0) + 1);
    yield { type: 'snapshot', objects: [] };
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    watched.set(namespace, (watched.get(namespace) ?? 0) - 1);
  };
  const list = async function* (): AsyncGenerator<never> {
    yield* [];
    throw denied();
  };
  const names = () => [...watched].filter(([, count]) => count > 0).map(([name]) => name);
  return { names, client: fakeClient({ reflect, list }, { namespace: 'own' }) };
}

function feedOn(client: KubeClient, clock: FakeClock): WorkloadFeed {
  return new WorkloadFeed({ client, clock, allowedNamespaces: [], onClose: () => undefined });
}

test('drops namespaces without a listener, and keeps the others', async () => {
  const clock = new FakeClock();
  const { names, client } = closedCluster((name) => name !== 'denied');
  const feed = feedOn(client, clock);
  const [one, other, last] = [listener(), listener(), listener()];
  feed.add(one, ['a', 'b', 'denied']);
  feed.add(other, ['b', 'c']);
  await clock.advance(1_000);
  expect(names().sort()).toEqual(['a', 'b', 'c', 'own']);
  expect(feed.denials.map(({ namespace }) => namespace)).toContain('denied');
  feed.remove(one);
  await clock.advance(1_000);
  expect(names().sort()).toEqual(['b', 'c', 'own']);
  expect(feed.denials).toEqual([]);
  // The last tab may reload: the feed keeps its namespaces until another tab comes without them.
  feed.remove(other);
  await clock.advance(1_000);
  expect(names().sort()).toEqual(['b', 'c', 'own']);
  feed.add(last, ['a']);
  await clock.advance(1_000);
  expect(names().sort()).toEqual(['a', 'own']);
  feed.close();
  expect(clock.pending).toBe(0);
});

test('watches only this many namespaces however many tabs name, and reports the others', async () => {
  const clock = new FakeClock();
  const { names, client } = closedCluster(() => true);
  const feed = feedOn(client, clock);
  const tabs = [0, 1, 2].map((tab) => ({
    listener: listener(),
    namespaces: Array.from({ length: MAX_BY_NAME / 2 }, (_, index) => `n-${tab}-${index}`),
  }));
  for (const tab of tabs) feed.add(tab.listener, tab.namespaces);
  await clock.advance(1_000);
  expect(names()).toHaveLength(MAX_BY_NAME + 1);
  expect(feed.denials).toHaveLength(MAX_BY_NAME / 2);
  expect(feed.denials[0]).toMatchObject({ namespace: 'n-2-0', error: { code: 'too-many-namespaces' } });
  if (tabs[0] !== undefined) feed.remove(tabs[0].listener);
  feed.add(listener(), []);
  await clock.advance(1_000);
  expect(names()).toHaveLength(MAX_BY_NAME + 1);
  expect(names()).toContain('n-2-0');
  expect(feed.denials).toEqual([]);
  feed.close();
});
