import type { AccessReview } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { AccessWithdrawn } from '../../stream/run/read-failure.ts';
import { reviewFollowedLogs } from './review-followed-logs.ts';
import { REVIEW_EVERY_MS } from './review-rounds.ts';

type Verdict = (review: AccessReview) => boolean | Promise<boolean>;

/** Returns a client whose logs never end by themselves, with a cluster whose review answers the test sets. */
function watched(verdict: Verdict) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const answers = { verdict };
  const signals: AbortSignal[] = [];
  const raw = fakeClient({
    log: async (_query, { signal } = {}) => {
      if (signal !== undefined) signals.push(signal);
      return { status: 200, body: never() };
    },
    review: async (review) => {
      asked.push([review.namespace ?? '*', review.name].filter(Boolean).join('/'));
      return answers.verdict(review);
    },
  });
  const client = reviewFollowedLogs(raw, clock);
  const open = async (namespace: string, pod: string, follow = true) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await client.log({ namespace, pod, follow }, { signal: stop.signal });
    const signal = signals.at(-1);
    if (signal === undefined) throw new Error('no request was made');
    return { signal, end: () => stop.abort() };
  };
  return { clock, asked, answers, open, tick: () => clock.advance(REVIEW_EVERY_MS) };
}

async function* never(): AsyncGenerator<Uint8Array> {}

const outage = () => new KubeError({ kind: 'connection', message: 'the cluster is away' });

test('all streams of one namespace share one review a minute', async () => {
  const { asked, open, tick } = watched(() => true);
  const logs = await Promise.all(Array.from({ length: 64 }, (_, at) => open('shop', `web-${at % 8}`)));
  await tick();
  expect(asked).toEqual(['shop']);
  await tick();
  expect(asked).toEqual(['shop', 'shop']);
  expect(logs.some(({ signal }) => signal.aborted)).toBe(false);
});

test('reviews a person who may read the logs of the whole cluster once for all namespaces', async () => {
  const { asked, open, tick } = watched(() => true);
  for (const namespace of ['a', 'b', 'c']) await open(namespace, 'web');
  await tick();
  expect(asked).toEqual(['*']);
});

test('a permission that is withdrawn ends the logs of that namespace only', async () => {
  const { answers, open, tick } = watched(({ namespace }) => namespace !== undefined);
  const [kept, first, second] = [await open('a', 'x'), await open('b', 'y'), await open('b', 'z')];
  await tick();
  expect([kept, first, second].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  answers.verdict = ({ namespace }) => namespace === 'a';
  await tick();
  expect([kept, first, second].map(({ signal }) => signal.aborted)).toEqual([false, true, true]);
  expect(first?.signal.reason).toBeInstanceOf(AccessWithdrawn);
});

test('a role that names its pods keeps the logs of these', async () => {
  const { asked, open, tick } = watched(({ name }) => name === 'db-0');
  const [db, other] = [await open('shop', 'db-0'), await open('shop', 'web-0')];
  await open('shop', 'db-0');
  await tick();
  expect([db.signal.aborted, other.signal.aborted]).toEqual([false, true]);
  expect(asked).toEqual(['shop', 'shop/db-0', 'shop/web-0']);
});

test('a review that fails withdraws nothing, and is tried again', async () => {
  const { asked, answers, open, tick } = watched(() => Promise.reject(outage()));
  const { signal } = await open('shop', 'web-0');
  await tick();
  expect([asked, signal.aborted]).toEqual([['shop'], false]);
  answers.verdict = () => false;
  await tick();
  expect(signal.aborted).toBe(true);
});

test('a review that never comes back does not stop those after it', async () => {
  const { answers, open, tick } = watched(() => new Promise<boolean>(() => {}));
  const { signal } = await open('shop', 'web-0');
  await tick();
  answers.verdict = () => false;
  await tick();
  expect(signal.aborted).toBe(true);
});

test('nothing is reviewed for logs that are not followed, or that are over', async () => {
  const { clock, asked, open, tick } = watched(() => false);
  await open('shop', 'web-0', false);
  const { end } = await open('shop', 'web-0');
  end();
  expect(clock.pending).toBe(0);
  await tick();
  expect(asked).toEqual([]);
});
