import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { eventFact } from '../../../../test/support/domain/facts.ts';
import type { Fact, FactOf } from '../domain/facts/fact.ts';
import { RolloutTimes } from './rollout-times.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const DEPLOYMENT = { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'deployment' };

const scaledUp = (replicaSet: string, seconds: number, series: Partial<FactOf<'event'>> = {}) =>
  eventFact({
    id: `event ${replicaSet} ${seconds}`,
    at: at(seconds),
    reason: 'ScalingReplicaSet',
    message: `Scaled up replica set ${replicaSet} from 0 to 1`,
    subject: DEPLOYMENT,
    ...series,
  });

function rollback(data: Partial<FactOf<'rollout'>['data']> = {}): Fact {
  const fact = eventFact({ id: 'rollback', at: at(1_000), reason: '', message: '', subject: DEPLOYMENT });
  return {
    ...fact,
    kind: 'rollout',
    bound: 'not-before',
    source: 'workload',
    data: { revision: 3, images: [], isOver: false, replicaSet: 'web-a', ...data },
  } as Fact;
}

const available = (seconds: number, heldMs = 3_600_000): Fact =>
  ({
    ...eventFact({ id: 'available', at: at(seconds), reason: 'NewReplicaSetAvailable', subject: DEPLOYMENT }),
    kind: 'workload-condition',
    data: { type: 'Progressing', status: 'True', heldMs },
  }) as Fact;

const timeOf = (facts: readonly Fact[]) => {
  const { at, bound } = facts.find(({ id }) => id === 'rollback') ?? {};
  return `${at?.seconds}${bound === undefined ? '' : ' or later'}`;
};
const dated = (...facts: readonly Fact[]) => timeOf(new RolloutTimes(undefined, () => {}).dated(facts));

test('a rollback was when its ReplicaSet was first scaled up after the rollout before', () => {
  expect(dated(rollback(), scaledUp('web-a', 1_700), scaledUp('web-a', 1_600))).toBe('1600');
});

test.each<[string, Fact]>([
  ['is of another ReplicaSet', scaledUp('web-b', 1_600)],
  ['is of its creation', scaledUp('web-a', 400)],
  ['is of another Deployment', scaledUp('web-a', 1_600, { subject: { ...DEPLOYMENT, uid: 'other' } })],
  ['counts three times, of which one is unknown', scaledUp('web-a', 400, { until: at(1_900), count: 3 })],
  ['is of scaling down', scaledUp('web-a', 1_600, { message: 'Scaled down replica set web-a from 1 to 0' })],
])('a rollback has no time from an Event that %s', (_, event) => {
  expect(dated(rollback(), event)).toBe('1000 or later');
});

test('of an Event that counts the creation and the rollback, the second time is the rollback', () => {
  expect(dated(rollback(), scaledUp('web-a', 400, { until: at(1_600), count: 2 }))).toBe('1600');
});

/** Rollouts back and forth: a at 500, b at 1000, a again, b again. */
const turns = (): readonly Fact[] => {
  const one = (
    revision: number,
    replicaSet: string,
    seconds: number,
    bound: 'not-before' | undefined,
  ): Fact => ({
    ...rollback({ revision, replicaSet }),
    id: revision === 4 ? 'rollback' : `rollout ${revision}`,
    at: at(seconds),
    bound,
  });
  return [
    one(1, 'web-a', 500, undefined),
    one(2, 'web-b', 1_000, undefined),
    one(3, 'web-a', 1_000, 'not-before'),
    one(4, 'web-b', 1_000, 'not-before'),
  ];
};
const steps = (replicaSet: string, seconds: number) => [
  scaledUp(replicaSet, seconds),
  scaledUp(replicaSet, seconds + 1, { message: `Scaled up replica set ${replicaSet} from 1 to 2` }),
];

test('a second rollout of the same template began after the rollback of the first, not in its later steps', () => {
  const events = [...steps('web-a', 500), ...steps('web-b', 1_000), ...steps('web-a', 1_300)];
  expect(dated(...turns(), ...events, ...steps('web-b', 1_900))).toBe('1900');
  expect(dated(...turns(), ...events)).toBe('1000 or later');
});

test('a second rollout has no time if that of the rollback before it is unknown', () => {
  const events = [...steps('web-b', 1_000), ...steps('web-b', 1_900)];
  expect(dated(...turns(), ...events)).toBe('1000 or later');
});

test('a Deployment that was rolled back and forth a hundred times is dated', () => {
  // If each asked twice for the one before it, this would never end.
  const names = ['web-a', 'web-b'];
  const rollouts = Array.from({ length: 100 }, (_, index): Fact => {
    const isLast = index === 99;
    const fact = rollback({ revision: index + 1, replicaSet: names[index % 2] ?? '' });
    const bound = index < 2 ? undefined : ('not-before' as const);
    return {
      ...fact,
      id: isLast ? 'rollback' : `rollout ${index}`,
      at: at(index < 2 ? index * 10 : 10),
      bound,
    };
  });
  const events = Array.from({ length: 100 }, (_, index) => scaledUp(names[index % 2] ?? '', index * 10));
  expect(dated(...rollouts, ...events)).toBe('990');
});

const scaledTo0 = (replicaSet: string, seconds: number) =>
  scaledUp(replicaSet, seconds, {
    id: `to 0 ${replicaSet} ${seconds}`,
    message: `Scaled down replica set ${replicaSet} from 1 to 0`,
  });
const hung: Fact = { ...rollback({ revision: 2, replicaSet: 'web-b' }), id: 'hung', bound: undefined };

test('the rollback of a rollout that hung was when the ReplicaSet of that was scaled to 0', () => {
  expect(dated(hung, rollback(), scaledTo0('web-b', 1_600))).toBe('1600');
});

test.each<[string, readonly Fact[]]>([
  [
    'was not scaled to 0',
    [scaledUp('web-b', 1_600, { message: 'Scaled down replica set web-b from 2 to 1' })],
  ],
  ['was scaled to 0 before', [scaledTo0('web-b', 900)]],
  ['was scaled to 0 with the whole Deployment', [scaledTo0('web-b', 1_600), scaledTo0('web-a', 1_600)]],
  ['belongs to a revision further back', [scaledTo0('web-c', 1_600)]],
])('a rollback has no time if the ReplicaSet before %s', (_, events) => {
  const other: Fact = { ...rollback({ revision: 1, replicaSet: 'web-c' }), id: 'first', bound: undefined };
  expect(dated(other, hung, rollback(), ...events)).toBe('1000 or later');
});

test('scaling up dates a rollback even if the ReplicaSet before it was scaled to 0 later', () => {
  expect(dated(hung, rollback(), scaledTo0('web-b', 1_700), scaledUp('web-a', 1_600))).toBe('1600');
});

test('a dated rollback lasted until the Deployment reported its end', () => {
  const times = new RolloutTimes(undefined, () => {});
  const [fact] = times.dated([rollback({ isOver: true }), scaledUp('web-a', 1_600), available(1_625)]);
  expect(fact?.kind === 'rollout' && fact.data.lastedMs).toBe(25_000);
});

test('a dated rollback that was paused has no length', () => {
  const times = new RolloutTimes(undefined, () => {});
  const end = available(1_625, 5_000);
  const [fact] = times.dated([rollback({ isOver: true }), scaledUp('web-a', 1_600), end]);
  expect(fact?.kind === 'rollout' && fact.data).not.toHaveProperty('lastedMs');
});

test('in a follow a rollback waits for its Event, and is given once', async () => {
  const clock = new FakeClock();
  const late: Fact[] = [];
  const times = new RolloutTimes(clock, (facts) => late.push(...facts));
  expect(times.take([rollback()])).toEqual([]);
  expect(timeOf(times.take([scaledUp('web-a', 1_600)]))).toBe('1600');
  await clock.advance(60_000);
  expect([late, clock.pending]).toEqual([[], 0]);
});

test('in a follow a rollback without an Event is given with its bound', async () => {
  const clock = new FakeClock();
  const late: Fact[] = [];
  const times = new RolloutTimes(clock, (facts) => late.push(...facts));
  expect(times.take([rollback()])).toEqual([]);
  await clock.advance(3_000);
  expect(timeOf(late)).toBe('1000 or later');
});

test('an earlier revision does not wait', () => {
  const times = new RolloutTimes(new FakeClock(), () => {});
  expect(timeOf(times.take([rollback({ isOver: undefined })]))).toBe('1000 or later');
});

const AGENT = { kind: 'DaemonSet', namespace: 'shop', name: 'agent', uid: 'agent' };

const ofAgent = (reason: string, message: string, seconds: number) =>
  eventFact({ id: `${reason} ${message}`, at: at(seconds), reason, message, subject: AGENT });
const created = (pod: string, seconds: number) => ofAgent('SuccessfulCreate', `Created pod: ${pod}`, seconds);
const deleted = (pod: string, seconds: number) => ofAgent('SuccessfulDelete', `Deleted pod: ${pod}`, seconds);

/** The rollout of a DaemonSet at 1000, and its rollback. */
function undone(before: Partial<Fact> = {}): readonly Fact[] {
  const fact = { ...rollback({ replicaSet: undefined }), subject: AGENT };
  const data = { revision: 2, images: [], isOver: undefined };
  return [{ ...fact, id: 'rollout', bound: undefined, data, ...before } as Fact, fact];
}

test('the rollback of a DaemonSet was when a pod of the rollout before was first deleted', () => {
  const facts = [deleted('agent-a', 1_000), created('agent-b', 1_002), deleted('agent-b', 1_600)];
  expect(dated(...undone(), ...facts, created('agent-c', 1_603))).toBe('1600');
});

test.each<[string, readonly Fact[]]>([
  ['none of its pods is deleted', [deleted('agent-a', 1_000), created('agent-b', 1_002)]],
  ['the pod gets no successor', [created('agent-b', 1_002), deleted('agent-b', 1_600)]],
  [
    'the pod has failed',
    [
      created('agent-b', 1_002),
      ofAgent(
        'FailedDaemonPod',
        'Found failed daemon pod shop/agent-b on node n, will try to kill it',
        1_600,
      ),
      deleted('agent-b', 1_600),
      created('agent-c', 1_601),
    ],
  ],
])('the rollback of a DaemonSet has no time if %s', (_, facts) => {
  expect(dated(...undone(), ...facts)).toBe('1000 or later');
});

test('after a rollout without a time, the rollback of a DaemonSet has none', () => {
  const facts = [created('agent-b', 1_002), deleted('agent-b', 1_600), created('agent-c', 1_603)];
  expect(dated(...undone({ bound: 'not-before' }), ...facts)).toBe('1000 or later');
});
