import { describe, expect, test } from 'vitest';
import { eventFact, rolloutFact } from '../../../../../test/support/domain/facts.ts';
import { evidenceOf, podNow } from '../../../../../test/support/why/evidence.ts';
import type { Fact, FactSubject } from '../../domain/facts/fact.ts';
import type { Evidence } from './evidence.ts';
import { healthySince } from './healthy-since.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const DEPLOYMENT: FactSubject = { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'web' };

function since(facts: readonly Fact[], values: Partial<Evidence> = {}): number {
  const evidence = evidenceOf(facts, { subject: DEPLOYMENT, wanted: new Map([['web', 2]]), ...values });
  return healthySince(evidence, at(1_000)).seconds;
}

function ready(name: string, readySince: number | undefined, createdAt = 500) {
  const subject = { kind: 'Pod', namespace: 'shop', name, uid: name };
  const time = readySince === undefined ? undefined : at(readySince);
  return podNow({ subject, isReady: true, readySince: time, createdAt: at(createdAt) });
}

const PODS = [ready('web-1', 5_000), ready('web-2', 6_000)];

const available = (seconds: number, data: { readonly isOfAll?: true } = { isOfAll: true }): Fact => ({
  ...rolloutFact({ subject: DEPLOYMENT }),
  at: at(seconds),
  kind: 'workload-condition',
  data: { type: 'Available', status: 'True', ...data },
});

const scaled = (message: string) =>
  eventFact({ reason: 'ScalingReplicaSet', subject: DEPLOYMENT, message, at: at(4_000) });

describe('since as many pods are ready as are wanted', () => {
  test.each([
    ['all of them', PODS, 6_000],
    ['a further one is more than it needs', [...PODS, ready('web-3', 9_000)], 6_000],
    ['one that is leaving does not count', [...PODS, { ...ready('web-0', 1_500), isDeleting: true }], 6_000],
    ['before the time in question', [ready('web-1', 100), ready('web-2', 900)], 1_000],
    ['of an unknown time: since its container runs', [ready('web-1', undefined, 700), PODS[0]!], 5_000],
    ['of an unknown time: since it was created', [ready('web-1', undefined, 7_000), PODS[0]!], 7_000],
  ])('%s', (_, pods, expected) => {
    expect(since([], { pods })).toBe(expected);
  });

  test('without a number, all that are ready', () => {
    expect(since([], { pods: [...PODS, ready('web-3', 9_000)], wanted: new Map() })).toBe(9_000);
  });
});

describe('a Deployment that is available only with all pods vouches for those that are gone', () => {
  test.each([
    ['since it is', [available(2_000)], 2_000],
    ['unless some may be missing', [available(2_000, {})], 6_000],
    ['later than its pods: it counts some seconds of readiness', [available(6_010)], 6_000],
    [
      'also while it replaced them',
      [available(2_000), scaled('Scaled down replica set web-5f from 2 to 1')],
      2_000,
    ],
    ['unless it had more', [available(2_000), scaled('Scaled down replica set web-5f from 4 to 2')], 6_000],
    ['unless it may have had more', [available(2_000), scaled('Scaled down replica set web-5f to 2')], 6_000],
  ])('%s', (_, facts, expected) => {
    expect(since(facts, { pods: PODS })).toBe(expected);
  });
});

test('after the last failure of a start, also of a pod that is gone', () => {
  const failure = eventFact({ reason: 'FailedMount', severity: 'warning', at: at(7_000), until: at(8_000) });
  expect(since([failure, available(2_000)], { pods: PODS })).toBe(8_000);
});

test('of what is scaled to 0, since its last pod was removed', () => {
  const facts = [scaled('Scaled down replica set web-5f from 2 to 0')];
  expect(since(facts, { pods: [], wanted: new Map([['web', 0]]) })).toBe(4_000);
  expect(since([], { pods: [], wanted: new Map([['web', 0]]) })).toBe(1_000);
});

test('of Jobs, since the first that is known', () => {
  const subject = { kind: 'CronJob', namespace: 'shop', name: 'import', uid: 'import' };
  const job = { ...subject, kind: 'Job', name: 'import-1', uid: 'import-1' };
  const created = eventFact({ subject: job, reason: 'SuccessfulCreate', at: at(3_000) });
  const pods = [podNow({ createdAt: at(5_000), phase: 'Succeeded', isOver: true })];
  expect(since([created], { pods, subject })).toBe(3_000);
  expect(since([], { pods, subject })).toBe(5_000);
});
