import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import { AccessReviews } from './access-reviews.ts';
import { questionsOfCollection, questionsOfLog } from './questions.ts';
import { untilRefused } from './until-refused.ts';
import { VerdictCache } from './verdict-cache.ts';

const JANE = { user: 'jane', uid: '', groups: ['dev'], extra: {} };
const LOG = questionsOfLog('shop', 'web-1');
const { signal } = new AbortController();

/** A verdict that comes when the test decides. */
function later() {
  let resolve: (isAllowed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

type Review = (user: string, verb: string, signal: AbortSignal | undefined) => Promise<boolean>;

function startReviews(review: Review, allowedNamespaces: readonly string[] = []) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const reviewing = new AccessReviews({
    clock,
    allowedNamespaces,
    client: {
      reviewSubject: (subject, { verb }, options) => {
        asked.push(`${subject.user} ${verb}`);
        return review(subject.user, verb, options?.signal);
      },
    },
  });
  return { clock, asked, reviewing, ask: (who = JANE, what = LOG) => reviewing.refusalOf(who, what, signal) };
}

test.each([
  ['a yes', true, 30_000],
  ['a no', false, 5000],
])('keeps %s for its time', async (_, isAllowed, keptMs) => {
  const { clock, asked, ask } = startReviews(async () => isAllowed);
  expect((await ask())?.problem).toBe(isAllowed ? undefined : 'denied');
  await clock.advance(keptMs - 1);
  await ask();
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await ask();
  expect(asked).toHaveLength(2);
});

test('setting the clock back keeps no yes for longer', async () => {
  const { clock, asked, ask } = startReviews(async () => true);
  await ask();
  clock.set(-86_400_000);
  await clock.advance(30_000);
  await ask();
  expect(asked).toHaveLength(2);
});

test.each([
  ['the user', { ...JANE, user: 'joe' }, LOG],
  ['the uid', { ...JANE, uid: '1' }, LOG],
  ['the groups', { ...JANE, groups: ['dev', 'ops'] }, LOG],
  ['how the groups are cut', { ...JANE, groups: ['d', 'ev'] }, LOG],
  ['the extra values', { ...JANE, extra: { scopes: ['view'] } }, LOG],
  ['the pod', JANE, questionsOfLog('shop', 'web-2')],
  ['the namespace', JANE, questionsOfLog('bank', 'web-1')],
  ['the verb', JANE, questionsOfCollection('shop').slice(0, 1)],
])('asks again if %s differs', async (_, who, what) => {
  const { asked, ask } = startReviews(async () => true);
  await ask();
  await ask(who, what);
  expect(asked).toHaveLength(2);
});

test('equal questions at the same time are one', async () => {
  const { promise, resolve } = later();
  const { asked, ask } = startReviews(() => promise);
  const answers = Promise.all([ask(), ask(), ask()]);
  resolve(true);
  expect(await answers).toEqual([undefined, undefined, undefined]);
  expect(asked).toHaveLength(1);
});

test('a caller who leaves ends no review of another one', async () => {
  const { promise, resolve } = later();
  const { asked, reviewing, ask } = startReviews(() => promise);
  const leaving = new AbortController();
  const left = reviewing.refusalOf(JANE, LOG, leaving.signal);
  const stayed = ask();
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  resolve(true);
  expect(await stayed).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test.each<[string, () => Promise<boolean>]>([
  ['unreachable', () => Promise.reject(new KubeError({ kind: 'connection', code: 'ECONNREFUSED' }))],
  ['forbidding reviews', () => Promise.reject(new KubeError({ kind: 'forbidden', status: 403 }))],
  ['without a verdict', () => Promise.reject(new KubeError({ kind: 'protocol' }))],
])('an API server %s is 503, and nothing of it is kept', async (_, review) => {
  const { asked, ask } = startReviews(review);
  const { problem, status } = (await ask()) ?? {};
  expect([problem, status?.code, status?.details?.retryAfterSeconds]).toEqual(['unanswered', 503, 5]);
  await ask();
  expect(asked).toHaveLength(2);
});

/** A review that ends only with its signal. */
const silent: Review = (_, __, limit) =>
  new Promise((_resolve, reject) => limit?.addEventListener('abort', () => reject(limit.reason)));

test('an API server that is silent for 10 s is 503, also after a yes', async () => {
  let review: Review = async () => true;
  const { clock, ask } = startReviews((...asked) => review(...asked));
  expect(await ask()).toBeUndefined();
  review = silent;
  await clock.advance(30_000);
  const late = ask();
  await clock.advance(10_000);
  expect(await late).toMatchObject({ problem: 'unanswered', status: { code: 503 } });
  expect(clock.pending).toBe(0);
});

test('keeps a bounded number of verdicts', async () => {
  const cache = new VerdictCache(new FakeClock(), 3);
  let asked = 0;
  const ask = async () => {
    asked++;
    return { answer: true };
  };
  for (const key of ['a', 'b', 'c', 'd', 'd', 'b']) await cache.verdictOf(key, ask, signal);
  expect([cache.size, asked]).toEqual([3, 4]);
  await cache.verdictOf('a', ask, signal);
  expect([cache.size, asked]).toEqual([3, 5]);
});

test('a collection needs list pods and get pods/log', async () => {
  const { asked, ask } = startReviews(async () => true);
  expect(await ask(JANE, questionsOfCollection('shop'))).toBeUndefined();
  expect(asked).toEqual(['jane list', 'jane get']);
  for (const missing of ['list', 'get']) {
    const lacking = startReviews(async (_, verb) => verb !== missing);
    expect((await lacking.ask(JANE, questionsOfCollection('shop')))?.problem).toBe('denied');
  }
});

test.each([
  [[], 'shop', true],
  [[], undefined, true],
  [['shop'], 'shop', true],
  [['shop', 'bank'], 'bank', true],
  [['shop'], 'bank', false],
  [['shop'], 'shop-2', false],
  [['shop'], 'Shop', false],
  [['shop'], '', false],
  [['shop'], undefined, false],
  [['*'], 'shop', false],
] as const)('with the namespaces %j, %s is allowed: %s', async (allowed, namespace, isAllowed) => {
  expect(isNamespaceAllowed(allowed, namespace)).toBe(isAllowed);
  const { asked, ask } = startReviews(async () => true, allowed);
  const refusal = await ask(JANE, questionsOfCollection(namespace));
  expect([refusal?.problem, asked.length]).toEqual(isAllowed ? [undefined, 2] : ['namespace-not-allowed', 0]);
});

test.each<[string, Review, string]>([
  ['the permission was taken away', async () => false, 'denied'],
  [
    'the API server does not answer',
    () => Promise.reject(new KubeError({ kind: 'connection' })),
    'unanswered',
  ],
])('an open stream ends within 60 s after %s', async (_, next, problem) => {
  let review: Review = async () => true;
  const { clock, asked, reviewing } = startReviews((...args) => review(...args));
  const open = new AbortController();
  const ended = untilRefused((own) => reviewing.refusalOf(JANE, LOG, own), clock, open.signal);
  await clock.advance(180_000);
  expect(asked).toHaveLength(3);
  review = next;
  await clock.advance(60_000);
  expect((await ended).problem).toBe(problem);
});

test('the reviews of a stream end with it', async () => {
  const { clock, asked, reviewing } = startReviews(async () => true);
  const open = new AbortController();
  const ended = untilRefused((own) => reviewing.refusalOf(JANE, LOG, own), clock, open.signal);
  open.abort(new Error('closed'));
  await expect(ended).rejects.toThrow('closed');
  await clock.advance(180_000);
  expect([asked.length, clock.pending]).toEqual([0, 0]);
});
