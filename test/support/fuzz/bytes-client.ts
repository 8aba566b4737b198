import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type BytesAnswer, bytesAgent } from './bytes-agent.ts';

/** Creates the real client on bytes instead of sockets; the clock stands still until `settle` advances it. */
export function bytesClient(answer: (requestLine: string) => BytesAnswer): {
  readonly client: ClusterClient;
  readonly clock: FakeClock;
} {
  const agent = bytesAgent(answer);
  const clock = new FakeClock();
  const connection = {
    context: 'test',
    server: new URL('http://cluster.invalid'),
    namespace: 'shop',
    user: 'tester',
    agent: () => agent,
    http2: false,
    connect: () => Promise.reject(new Error('the tests use the agent')),
    headers: async () => ({}),
    refresh: async () => false,
    close: () => agent.destroy(),
  };
  const client = createKubeClient(connection, { clock, userAgent: 'logtool/test', random: () => 1 });
  return { client, clock };
}

/**
 * More turns than anything bounded takes, except work in other threads (decompression), which waits for a
 * processor.
 */
const MAX_TURNS = 200_000;
/** Further turns, of a millisecond each. */
const SLOW_TURNS = 100_000;

/** Advances time while nothing else proceeds, until the promise settles. Fails if it does not. */
export async function settle<T>(clock: FakeClock, work: Promise<T>, stepMs = 60_000): Promise<T> {
  let settled = false;
  const watched = work.finally(() => {
    settled = true;
  });
  watched.catch(() => undefined);
  for (let turn = 0; !settled; turn++) {
    await new Promise((resolve) => (turn < MAX_TURNS ? setImmediate(resolve) : setTimeout(resolve, 1)));
    if (!settled && turn % 4 === 3 && clock.pending > 0) await clock.advance(stepMs);
    if (turn > MAX_TURNS + SLOW_TURNS) throw new Error('it hangs');
  }
  return watched;
}

/** Advances time until nothing waits for it. Fails if that does not happen. */
export async function runDown(clock: FakeClock): Promise<void> {
  const nobodyWaits = async () => {
    while (clock.pending > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle(clock, nobodyWaits());
}
