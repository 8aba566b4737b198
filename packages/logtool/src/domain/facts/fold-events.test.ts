import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventFact, exitFact, startFact } from '../../../../../test/support/domain/facts.ts';
import type { Fact, FactOf } from './fact.ts';
import { foldEvents } from './fold-events.ts';

const POD = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'pod-1' };
const APP = { ...POD, container: 'app' };
const at = (seconds: number, nanos = 0) => ({ seconds, nanos });

const restart = startFact({ id: 'restart', at: at(100), subject: { ...APP, run: 'run-2' } });
const STARTED = {
  id: 'started-event',
  reason: 'Started',
  message: 'Container started',
  at: at(40),
  until: at(101),
  count: 3,
  subject: APP,
};
const startedEvent = eventFact(STARTED);

function podFact(kind: 'scheduled' | 'unschedulable' | 'preempted' | 'evicted', values: Partial<Fact>): Fact {
  const base = { ...restart, id: kind, subject: POD, kind, data: {} };
  return { ...base, ...values } as Fact;
}

test('a start takes the count and the message of the Event of its run, and keeps its own time', () => {
  expect(foldEvents([startedEvent, restart])).toEqual([
    { ...restart, message: 'Container started', count: 3, since: at(40), bound: undefined },
  ]);
});

test('the condition of a failed Job and its Event are one fact', () => {
  const subject = { kind: 'Job', namespace: 'shop', name: 'import', uid: 'job' };
  const texts = { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  const failed = {
    ...restart,
    ...texts,
    id: 'failed',
    subject,
    kind: 'workload-condition',
    data: { type: 'Failed', status: 'True' },
  } as Fact;
  const event = eventFact({ ...texts, id: 'event', subject, at: at(100) });
  expect(foldEvents([failed, event]).map(({ id }) => id)).toEqual(['failed']);
});

test('scheduling takes the more precise time of its Event', () => {
  const event = eventFact({ reason: 'Scheduled', subject: POD, at: at(100, 5_000), precision: 'us' });
  const [folded, ...rest] = foldEvents([podFact('scheduled', {}), event]);
  expect([folded, rest]).toEqual([
    expect.objectContaining({ id: 'scheduled', at: at(100, 5_000), precision: 'us', count: 1 }),
    [],
  ]);
});

test('a pod that cannot be scheduled takes the series of its Event, if the words are the same', () => {
  const message = '0/2 nodes are available: 2 Insufficient cpu.';
  const status = podFact('unschedulable', { reason: 'Unschedulable', message, severity: 'warning' });
  const series = { reason: 'FailedScheduling', subject: POD, at: at(100), until: at(400), count: 6 };
  expect(foldEvents([status, eventFact({ ...series, message })])).toEqual([
    expect.objectContaining({ kind: 'unschedulable', until: at(400), count: 6, message }),
  ]);
  const other = eventFact({ ...series, message: '0/2 nodes are available: 2 Insufficient memory.' });
  expect(foldEvents([status, other])).toEqual([status, other]);
});

test('an eviction whose status has no time takes that of its Event', () => {
  const same = { reason: 'Evicted', message: 'The node was low on resource: memory.', subject: POD };
  const status = podFact('evicted', { ...same, bound: 'not-before', at: at(90) });
  expect(foldEvents([status, eventFact({ ...same, at: at(300) })])).toEqual([
    expect.objectContaining({ kind: 'evicted', at: at(300), bound: undefined }),
  ]);
});

test.each<[string, Partial<FactOf<'event'>>]>([
  ['another pod', { subject: { ...APP, uid: 'pod-2' } }],
  ['another container', { subject: { ...APP, container: 'proxy' } }],
  ['no container', { subject: POD }],
  ['before the start', { until: at(99) }],
  ['two seconds after', { until: at(102) }],
  ['another reason', { reason: 'Created' }],
])('an Event of %s stays a fact of its own', (_, values) => {
  const event = eventFact({ ...STARTED, ...values });
  expect(foldEvents([restart, event])).toEqual([restart, event]);
});

test('what could be about two happenings stays as it is', () => {
  const later = { ...restart, id: 'next', at: at(101), subject: { ...APP, run: 'run-3' } };
  expect(foldEvents([restart, later, startedEvent])).toEqual([restart, later, startedEvent]);
  const second = eventFact({ ...STARTED, id: 'second-event' });
  expect(foldEvents([restart, startedEvent, second])).toEqual([restart, startedEvent, second]);
});

test('two happenings never become one: no status is lost, and an Event only to one of its own subject and time', () => {
  const subject = fc.record({
    kind: fc.constantFrom('Pod', 'Deployment'),
    namespace: fc.constant('shop'),
    name: fc.constant('web'),
    uid: fc.constantFrom('', 'a', 'b'),
    container: fc.constantFrom(undefined, 'app', 'proxy'),
  });
  const text = fc.constantFrom('', 'Container started', 'low on memory');
  const reason = fc.constantFrom(
    'Started',
    'Scheduled',
    'FailedScheduling',
    'Preempted',
    'Evicted',
    'Failed',
  );
  const time = fc.integer({ min: 0, max: 6 }).map((seconds) => at(seconds));
  const common = { subject, message: text, reason, at: time };
  const event = fc
    .record({ ...common, until: fc.option(fc.integer({ min: 7, max: 9 }), { nil: undefined }) })
    .map(({ until, ...values }) =>
      eventFact({ ...values, until: until === undefined ? undefined : at(until), count: 2 }),
    );
  const kind = fc.constantFrom('scheduled', 'unschedulable', 'preempted', 'evicted', 'workload-condition');
  const status = fc.oneof(
    fc.record(common).map((values) => startFact(values)),
    fc.record(common).map((values) => exitFact(values)),
    fc.record({ ...common, kind }).map((values) => ({ ...startFact({}), ...values, data: {} }) as Fact),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(event, status), { maxLength: 14 }), (drawn) => {
      const given = drawn.map((fact, index) => ({ ...fact, id: String(index) }) as Fact);
      const folded = foldEvents(given);
      const left = new Set(folded.map(({ id }) => id));
      const lost = given.filter(({ id }) => !left.has(id));
      const changed = folded.filter((fact) => !given.includes(fact));
      expect(lost.every((fact) => fact.kind === 'event')).toBe(true);
      expect(changed).toHaveLength(lost.length);
      for (const fact of lost) {
        const homes = changed.filter((one) => {
          const before = given.find(({ id }) => id === one.id);
          const isNear = [fact.at, fact.until].some(
            (moment) => moment !== undefined && Math.abs(moment.seconds - (before?.at.seconds ?? -9)) <= 1,
          );
          return (
            one.subject.uid === fact.subject.uid &&
            one.subject.kind === fact.subject.kind &&
            one.subject.container === fact.subject.container &&
            (isNear || one.kind === 'evicted')
          );
        });
        expect(homes.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

const deletion = {
  ...restart,
  id: 'deleted',
  kind: 'deleted',
  data: {},
  subject: POD,
  bound: undefined,
} as Fact;
const report = (message: string, seconds: number) =>
  eventFact({
    reason: 'SuccessfulDelete',
    message,
    at: at(seconds),
    subject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web', uid: 'set' },
    data: { controller: 'replicaset-controller', type: 'Normal' },
  });

test.each([
  ['Deleted pod: web-1', 101, 'replicaset-controller'],
  ['delete Pod web-1 in StatefulSet web successful', 100, 'replicaset-controller'],
  ['Deleted pod: web-12', 101, undefined],
  ['Deleted pod: web-1', 300, undefined],
])('a deletion is by the controller that reports it at that time: %s at %d', (message, seconds, by) => {
  const facts = foldEvents([deletion, report(message, seconds)]);
  expect(facts).toHaveLength(2);
  expect(facts[0]).toMatchObject({ data: by === undefined ? {} : { by } });
  expect(facts[0]?.data).toEqual(by === undefined ? {} : { by });
});
