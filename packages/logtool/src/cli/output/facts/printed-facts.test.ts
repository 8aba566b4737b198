import { expect, test } from 'vitest';
import { eventFact } from '../../../../../../test/support/domain/facts.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import { PrintedFacts } from './printed-facts.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });

test('a series that continued is printed again, the same one is not', () => {
  const printed = new PrintedFacts();
  const series = eventFact({ id: 'a', at: at(100), until: at(110), count: 2 });
  expect([series, series, { ...series, until: at(120), count: 3 }].map((fact) => printed.add(fact))).toEqual([
    true,
    false,
    true,
  ]);
});

test('a rollout is printed once, at its beginning: its end is no second row at that old time', () => {
  const printed = new PrintedFacts();
  const rollout = (isOver: boolean, seconds: number) =>
    ({
      ...eventFact({ id: 'rollout', at: at(seconds) }),
      kind: 'rollout',
      data: { revision: 2, images: [], isOver },
    }) as Fact;
  expect(
    [rollout(false, 100), rollout(true, 100), rollout(true, 90)].map((fact) => printed.add(fact)),
  ).toEqual([true, false, false]);
});
