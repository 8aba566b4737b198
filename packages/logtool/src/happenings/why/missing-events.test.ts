import { expect, test } from 'vitest';
import { eventFact, exitFact } from '../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../test/support/why/evidence.ts';
import type { MissingEvents } from './evidence.ts';
import { judge } from './judge.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
/** Its end, an hour after the epoch. */
const END = 3_600;

const cut = (seconds: number, namespace = 'shop'): MissingEvents => ({
  why: 'cut',
  namespace,
  from: at(seconds),
});
const unread = (namespace: string | undefined): MissingEvents => ({ why: 'unread', namespace });

function judged(missingEvents: readonly MissingEvents[], exitCode = 137, since = 3_000) {
  const exit = exitFact({ at: at(END), data: { exitCode, restarts: 0, isInit: false, wasDeleted: false } });
  const other = eventFact({ id: 'other', at: at(END), reason: 'Pulled' });
  const { verdicts, doubts } = judge(evidenceOf([exit, other], { missingEvents }), at(since));
  return { doubts, ofVerdict: verdicts.map((verdict) => verdict.doubts.map(({ code }) => code)) };
}

const MISSING = [['kubelet-unread', 'code-of-program']];

test('with all events, that none names a sender is known', () => {
  expect(judged([])).toEqual({ doubts: [], ofVerdict: [['sender-unknown', 'code-of-program']] });
});

test('concludes nothing from events that are cut before the end of a run, and reports when they begin', () => {
  expect(judged([cut(END - 30)])).toEqual({
    doubts: [{ code: 'events-cut', data: { from: '1970-01-01T00:59:30Z' } }],
    ofVerdict: MISSING,
  });
});

test('events that were cut long before the end, and before the time in question, are no doubt', () => {
  expect(judged([cut(2_900)])).toEqual({ doubts: [], ofVerdict: [['sender-unknown', 'code-of-program']] });
  expect(judged([cut(3_100)])).toMatchObject({
    doubts: [{ code: 'events-cut' }],
    ofVerdict: [['sender-unknown', 'code-of-program']],
  });
});

test('events of another namespace are no doubt', () => {
  expect(judged([cut(END, 'bank'), unread('bank')])).toEqual({
    doubts: [],
    ofVerdict: [['sender-unknown', 'code-of-program']],
  });
});

test('unread events, of the namespace or of all', () => {
  for (const namespace of ['shop', undefined])
    expect(judged([unread(namespace)])).toEqual({
      doubts: [{ code: 'events-unreadable', data: {} }],
      ofVerdict: MISSING,
    });
});

test('without the events about nodes: it knows the kubelet of the pod, not a boot', () => {
  const doubts = [{ code: 'node-events-unreadable', data: {} }];
  expect(judged([unread('default')])).toEqual({ doubts, ofVerdict: [['sender-unknown', 'code-of-program']] });
  expect(judged([unread('default')], 255)).toEqual({ doubts, ofVerdict: [['kubelet-unread']] });
});

test.each([
  ['the cluster has events of the whole range', 3_000, 3_000, []],
  ['the range is an hour', 6_500, 9_000, []],
  ['the cluster has no older event', 3_000, 6_500, ['events-since']],
  ['the cluster has no event', 3_000, undefined, ['events-expired']],
  ['the cluster has no event of the last hour', 6_500, undefined, []],
])('healthy if %s', (_, since, oldest, doubts) => {
  const eventsSince = oldest === undefined ? undefined : { seconds: oldest, nanos: 0 };
  const pods = [podNow({ isReady: true, containers: [containerNow({ isReady: true })] })];
  const found = judge(evidenceOf([], { pods, eventsSince }), { seconds: since, nanos: 0 });
  expect(found.outcome).toBe('healthy');
  expect(found.doubts.map(({ code }) => code)).toEqual(doubts);
  const known = doubts.length === 0 ? since : Math.min(oldest ?? Number.POSITIVE_INFINITY, 10_000 - 3_600);
  expect(found.knownFrom.seconds).toBe(known);
});
