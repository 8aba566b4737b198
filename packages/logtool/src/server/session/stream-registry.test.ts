import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { type Session, StreamClosing } from '../services.ts';
import {
  GUARANTEED_STREAMS_OF_ONE,
  MAX_STREAMS_IN_ALL,
  MAX_STREAMS_OF_ONE,
  StreamRegistry,
} from './stream-registry.ts';

const ann: Session = { id: 'ann', pageToken: 't' };
const bob: Session = { id: 'bob', pageToken: 't' };
const reasonOf = (signal: AbortSignal) =>
  signal.reason instanceof StreamClosing ? signal.reason.reason : undefined;

test('a session has 64 streams at once, whatever others have', () => {
  const registry = new StreamRegistry(new FakeClock());
  const open = Array.from({ length: 64 }, () => registry.open(ann, 'logs'));
  expect(() => registry.open(ann, 'logs')).toThrow(expect.objectContaining({ code: 'too-many-streams' }));
  expect(() => registry.open(ann, 'logs')).toThrow(CodedError);
  registry.open(bob, 'logs').end();
  open[0]?.end();
  open[0]?.end();
  registry.open(ann, 'logs');
  expect(() => registry.open(ann, 'logs')).toThrow();
  expect(registry.count).toBe(64);
});

test('however many sessions there are, the streams of all have a limit', () => {
  const registry = new StreamRegistry(new FakeClock());
  const open = Array.from({ length: MAX_STREAMS_IN_ALL }, (_, index) =>
    registry.open({ ...ann, id: `page-${index}` }, 'logs'),
  );
  expect(() => registry.open(bob, 'logs')).toThrow(
    expect.objectContaining({ code: 'too-many-streams', data: { of: 'server', limit: 1024 } }),
  );
  open[7]?.end();
  registry.open(bob, 'logs');
});

test('a person has 128 streams at once, in however many sessions', () => {
  const registry = new StreamRegistry(new FakeClock());
  const sessionOf = (person: string, number: number): Session => ({
    id: `${person} ${number}`,
    pageToken: 't',
    person,
  });
  const open = Array.from({ length: MAX_STREAMS_OF_ONE }, (_, number) =>
    registry.open(sessionOf('user ann', number % 17), 'logs'),
  );
  const more = () => registry.open(sessionOf('user ann', 17), 'logs');
  expect(more).toThrow(
    expect.objectContaining({ code: 'too-many-streams', data: { of: 'person', limit: 128 } }),
  );
  registry.open(sessionOf('user bob', 1), 'logs').end();
  open[0]?.end();
  open[0]?.end();
  more();
  expect(more).toThrow();
});

test('people who hold many streams cannot take the last ones from those who hold few', () => {
  const registry = new StreamRegistry(new FakeClock());
  const open = (person: string) => registry.open({ id: person, pageToken: 't', person }, 'logs');
  /** Counts how many streams a person gets who wants more than there are. */
  const take = (person: string) => {
    for (let count = 0; ; count++) {
      try {
        registry.open({ id: `${person} ${count}`, pageToken: 't', person }, 'logs');
      } catch {
        return count;
      }
    }
  };
  const greedy = Array.from({ length: 8 }, (_, number) => take(`user greedy-${number}`));
  expect(greedy).toEqual([
    128,
    128,
    128,
    128,
    128,
    128,
    GUARANTEED_STREAMS_OF_ONE,
    GUARANTEED_STREAMS_OF_ONE,
  ]);
  expect(() => open('user greedy-7')).toThrow(
    expect.objectContaining({ data: { of: 'share', limit: 256, share: 16 } }),
  );
  expect(take('user bob')).toBe(GUARANTEED_STREAMS_OF_ONE);
});

test('a thousand streams that come and go leave nothing', () => {
  const clock = new FakeClock();
  const registry = new StreamRegistry(clock);
  for (let i = 0; i < 1_000; i++)
    registry.open({ ...ann, id: `${i % 7}`, expiresAtMs: clock.now() + 1_000 }, 'x').end();
  expect([registry.count, clock.pending]).toEqual([0, 0]);
});

test('ending a session notifies its streams of the reason, and no others', () => {
  const registry = new StreamRegistry(new FakeClock());
  const [first, second, other] = [registry.open(ann, 'a'), registry.open(ann, 'b'), registry.open(bob, 'a')];
  registry.closeSession('ann', 'signed-out');
  expect([first, second].map(({ signal }) => reasonOf(signal))).toEqual(['signed-out', 'signed-out']);
  expect(other.signal.aborted).toBe(false);
});

test('a stream that comes after its session ended is over as it begins', () => {
  const registry = new StreamRegistry(new FakeClock());
  registry.closeSession('ann', 'signed-out');
  expect(reasonOf(registry.open(ann, 'logs').signal)).toBe('signed-out');
  expect(registry.open(bob, 'logs').signal.aborted).toBe(false);
});

test('streams end when their session expires', async () => {
  const clock = new FakeClock();
  const registry = new StreamRegistry(clock);
  const stream = registry.open({ ...ann, expiresAtMs: clock.now() + 5_000 }, 'logs');
  await clock.advance(4_999);
  expect(stream.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(reasonOf(stream.signal)).toBe('expired');
});

test('a shutdown notifies all streams, including those that come later', () => {
  const registry = new StreamRegistry(new FakeClock());
  const open = registry.open(ann, 'logs');
  registry.closeAll('shutdown');
  expect([reasonOf(open.signal), reasonOf(registry.open(bob, 'logs').signal)]).toEqual([
    'shutdown',
    'shutdown',
  ]);
});
