import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { Rate } from './rate.ts';

test('a rate is the average over its time, and falls to zero after it', async () => {
  const clock = new FakeClock();
  const rate = new Rate(clock, 10);
  rate.add(3);
  expect(rate.perSecond).toBe(0.3);
  await clock.advance(5_000);
  rate.add(20);
  expect(rate.perSecond).toBe(2.3);
  await clock.advance(6_000);
  expect(rate.perSecond).toBe(2);
  await clock.advance(5_000);
  expect(rate.perSecond).toBe(0);
});
