import { expect, test } from 'vitest';
import { eventFact } from '../../../../../../test/support/domain/facts.ts';
import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Histogram } from '../protocol/protocol.ts';
import { withFacts } from './fact-marks.ts';
import { rolloutsOf, withRollouts } from './rollout-spans.ts';

const START = 1_800_000_000;
const CHART: Histogram = {
  fromSeconds: START,
  bucketSeconds: 10,
  errors: [0, 0, 0, 0, 0, 0],
  warnings: [0, 0, 0, 0, 0, 0],
  others: [1, 1, 1, 1, 1, 1],
};
const images = [{ container: 'app', from: 'web:v41', to: 'web:v42' }];

function rollout(
  seconds: number,
  data: Partial<FactOf<'rollout'>['data']>,
  values: Partial<Fact> = {},
): Fact {
  const subject = { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'web' };
  const { id, at, precision, severity, reason, message, count } = eventFact({
    at: { seconds: START + seconds, nanos: 0 },
  });
  const base = {
    id,
    at,
    precision,
    severity,
    reason,
    message,
    count,
    subject,
    source: 'workload',
    kind: 'rollout',
  };
  return { ...base, data: { revision: 2, images, ...data }, ...values } as Fact;
}
const entries = (...facts: readonly Fact[]) =>
  facts.map((fact) => ({ fact, restart: undefined, revision: 1 }));
const bandsOf = (...facts: readonly Fact[]) =>
  withRollouts(CHART, rolloutsOf(entries(...facts))).rollouts?.map(({ first, last }) => [first, last]);

test('a rollout is a band from its beginning to its end, inside of the chart', () => {
  expect(bandsOf(rollout(12, { isOver: true, lastedMs: 25_000 }))).toEqual([[1, 3]]);
  expect(bandsOf(rollout(-30, { isOver: true, lastedMs: 45_000 }))).toEqual([[0, 1]]);
  expect(bandsOf(rollout(50, { isOver: true, lastedMs: 900_000 }))).toEqual([[5, 5]]);
});

test('a running one reaches to the end, one with an unknown end is only its beginning', () => {
  expect(bandsOf(rollout(12, { isOver: false }))).toEqual([[1, 5]]);
  expect(bandsOf(rollout(12, { isOver: true }))).toEqual([[1, 1]]);
  expect(bandsOf(rollout(12, {}))).toEqual([[1, 1]]);
});

test('outside of the chart, of the first revision, or without a time of its beginning there is none', () => {
  expect(
    bandsOf(rollout(-90, { isOver: true, lastedMs: 1_000 }), rollout(90, { isOver: false })),
  ).toBeUndefined();
  expect(bandsOf(rollout(12, { revision: 1, isOver: false }))).toBeUndefined();
  expect(bandsOf(rollout(12, { isOver: true }, { bound: 'not-before' }))).toBeUndefined();
});

test('a bar is marked with the gravest of its facts, and how many there are', () => {
  const at = (seconds: number, severity: Fact['severity']) =>
    eventFact({ at: { seconds: START + seconds, nanos: 0 }, severity });
  const facts = entries(
    at(-5, 'fatal'),
    at(1, 'normal'),
    at(3, 'fatal'),
    at(9, 'warning'),
    at(59, 'warning'),
    at(60, 'fatal'),
  );
  expect(withFacts(CHART, facts).facts).toEqual([
    { bucket: 0, severity: 'fatal', count: 3 },
    { bucket: 5, severity: 'warning', count: 1 },
  ]);
  expect(withFacts(CHART, [])).toBe(CHART);
});
