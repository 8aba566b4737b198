import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { eventFact, startFact } from '../../../../test/support/domain/facts.ts';
import type { Fact } from '../domain/facts/fact.ts';
import { LiveFold } from './live-fold.ts';

const APP = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'pod-1', container: 'app' };
const at = (seconds: number) => ({ seconds, nanos: 0 });
const start = startFact({ id: 'start', at: at(100), subject: { ...APP, run: 'run-2' } });
const event = eventFact({
  id: 'event',
  reason: 'Started',
  at: at(40),
  until: at(100),
  count: 2,
  subject: APP,
});

function liveFold() {
  const clock = new FakeClock();
  const given: string[] = [];
  const fold = new LiveFold(clock, (facts: readonly Fact[]) =>
    given.push(...facts.map(({ id, count }) => `${id} x${count}`)),
  );
  return { clock, fold, given };
}

test('drops an Event after its status', async () => {
  const { clock, fold, given } = liveFold();
  fold.take([start]);
  fold.take([event]);
  await clock.advance(60_000);
  expect([given, clock.pending]).toEqual([['start x1'], 0]);
});

test('an Event before its status waits, and goes into it', async () => {
  const { clock, fold, given } = liveFold();
  fold.take([event]);
  expect(given).toEqual([]);
  fold.take([start]);
  await clock.advance(60_000);
  expect([given, clock.pending]).toEqual([['start x2'], 0]);
});

test('an Event whose status does not come is given by itself, with its latest count', async () => {
  const { clock, fold, given } = liveFold();
  fold.take([event]);
  await clock.advance(2_000);
  fold.take([{ ...event, count: 3, until: at(103) }]);
  await clock.advance(1_000);
  expect([given, clock.pending]).toEqual([['event x3'], 0]);
});

test('reports the next run too', () => {
  const { fold, given } = liveFold();
  fold.know([start]);
  fold.take([{ ...start, id: 'next', at: at(200), subject: { ...APP, run: 'run-3' } }]);
  fold.take([{ ...event, count: 3, until: at(200) }]);
  expect(given).toEqual(['next x1']);
});

test('an Event without a status does not wait', () => {
  const { fold, given } = liveFold();
  fold.take([{ ...event, reason: 'BackOff' }]);
  expect(given).toEqual(['event x2']);
});

test('reports a continuing series about one status again', () => {
  const { fold, given } = liveFold();
  const message = '0/2 nodes are available';
  const subject = { ...APP, container: undefined };
  const status = { ...start, id: 'status', kind: 'unschedulable', data: {}, subject, message } as Fact;
  const series = { ...event, reason: 'FailedScheduling', at: at(100), subject, message };
  fold.take([status, { ...series, until: undefined, count: 1 }]);
  fold.take([{ ...series, until: at(130), count: 2 }]);
  expect(given).toEqual(['status x1', 'status x2']);
});

test('nothing waits once the reader has left', () => {
  const { clock, fold } = liveFold();
  fold.take([event]);
  fold.stop();
  expect(clock.pending).toBe(0);
});
