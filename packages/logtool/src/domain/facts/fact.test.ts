import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventFact, exitFact, startFact } from '../../../../../test/support/domain/facts.ts';
import { compareFacts, type Fact, isAtLeast, isStart, positionOf, SEVERITIES } from './fact.ts';

const at = (seconds: number, nanos = 0) => ({ seconds, nanos });

test('a fact with whole seconds lies at the end of its second', () => {
  expect(positionOf(exitFact({ at: at(5) }))).toEqual(at(5, 999_999_999));
});

test('a fact with microseconds lies at the end of its microsecond', () => {
  expect(positionOf(eventFact({ at: at(5, 1_000), precision: 'us' }))).toEqual(at(5, 1_999));
});

test('a fact with nanoseconds lies at its own time', () => {
  expect(positionOf(eventFact({ at: at(5, 7), precision: 'ns' }))).toEqual(at(5, 7));
});

test('a series lies where it happened last', () => {
  expect(positionOf(eventFact({ at: at(5), until: at(9), count: 3 }))).toEqual(at(9, 999_999_999));
});

test('at one time an exit comes first and a start last', () => {
  const facts = [startFact({ at: at(5) }), eventFact({ at: at(5) }), exitFact({ at: at(5) })];
  expect(facts.sort(compareFacts).map(({ kind }) => kind)).toEqual(['exited', 'event', 'restarted']);
});

test('at one time a pod becomes ready after its containers start', () => {
  const ready = { ...eventFact({ id: 'a', at: at(5) }), kind: 'ready', data: {} } as Fact;
  const order = [ready, startFact({ id: 'b', at: at(5) })].sort(compareFacts).map(({ kind }) => kind);
  expect(order).toEqual(['restarted', 'ready']);
});

test('severities rank from normal to fatal', () => {
  const fact = eventFact({ severity: 'warning' });
  expect(SEVERITIES.map((severity) => isAtLeast(fact, severity))).toEqual([true, true, false]);
});

test('only a start begins a run', () => {
  expect([startFact({}), exitFact({}), eventFact({})].map(({ kind }) => isStart(kind))).toEqual([
    true,
    false,
    false,
  ]);
});

const time = fc.record({
  seconds: fc.integer({ min: 0, max: 2 }),
  nanos: fc.constantFrom(0, 1_500, 999_999_999),
});
const values = fc.record({
  at: time,
  precision: fc.constantFrom('s' as const, 'us' as const, 'ns' as const),
  id: fc.constantFrom('a', 'b'),
});
const facts: fc.Arbitrary<Fact> = fc.oneof(
  values.map(exitFact),
  values.map(startFact),
  values.map(eventFact),
);

test('the order of facts is total, and the same whatever order they come in', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 12 }), fc.integer(), (some, seed) => {
      const shuffled = [...some].sort((a, b) => ((a.at.nanos ^ seed) % 7) - ((b.at.nanos ^ seed) % 7));
      const text = (list: readonly Fact[]) =>
        list.map((fact) => [fact.id, fact.kind, JSON.stringify(positionOf(fact))].join(' '));
      expect(text(shuffled.sort(compareFacts))).toEqual(text([...some].sort(compareFacts)));
      for (const a of some)
        for (const b of some) expect(Math.sign(compareFacts(a, b))).toBe(-Math.sign(compareFacts(b, a)) || 0);
    }),
  );
});
