import { compareSync } from 'bcryptjs';
import { expect, test } from 'vitest';
import type { FunctionCall } from '../../../template/function.ts';
import { GoInt } from '../../../value/value.ts';
import { RANDOM_FUNCTIONS } from './random.ts';
import { SECRET_FUNCTIONS } from './secrets.ts';

function callThatCounts(limit = Number.POSITIVE_INFINITY): FunctionCall & { readonly charged: () => number } {
  let sum = 0;
  const never = () => {
    throw new Error('not to be called');
  };
  return {
    nowMs: 0,
    include: never,
    evaluate: never,
    lookup: never,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    charge: (units) => {
      sum += units;
      if (sum > limit) throw new Error('limit');
    },
    charged: () => sum,
  };
}

test('a hash by bcrypt fits only its password, and has another salt each time', () => {
  const call = callThatCounts();
  const hash = () => String(SECRET_FUNCTIONS.get('bcrypt')!.run(call, ['pässword']));
  const [first, second] = [hash(), hash()];
  expect(first).not.toBe(second);
  expect(compareSync('pässword', first)).toBe(true);
  expect(compareSync('password', first)).toBe(false);
});

test('work is announced before it is done', () => {
  const call = callThatCounts(1_000_000);
  expect(() => RANDOM_FUNCTIONS.get('randAlpha')!.run(call, [new GoInt(10n ** 9n)])).toThrow('limit');
  expect(call.charged()).toBeGreaterThan(1_000_000);
});

test('random texts use all of their characters about as often', () => {
  const text = String(RANDOM_FUNCTIONS.get('randNumeric')!.run(callThatCounts(), [new GoInt(100_000)]));
  const counts = Array.from({ length: 10 }, (_, digit) => text.split(String(digit)).length - 1);
  expect(text).toHaveLength(100_000);
  // Twelve standard deviations: the probability of more is below 10^-30.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(12 * Math.sqrt(9000));
});
