import { expect, test } from 'vitest';
import { RenderRate } from './render-rate.ts';

test('reports lines that come faster than they are drawn after two such seconds, while following', () => {
  let nowMs = 0;
  const rate = new RenderRate(() => nowMs);
  const second = (shown: number, received: number, isFollowing = true) => {
    nowMs += 1_000;
    return rate.update(shown, received, isFollowing);
  };
  expect(second(500, 50_000)).toBeUndefined();
  expect(second(2_500, 50_000)).toBe(2_000);
  expect(second(4_400, 50_000)).toBe(1_900);
  expect(second(4_500, 100)).toBeUndefined();
  expect(second(4_600, 50_000)).toBeUndefined();
  expect(second(4_700, 50_000)).toBe(100);
  expect(second(4_700, 50_000, false)).toBeUndefined();
});

test('does not mention rates at which people can read along', () => {
  let nowMs = 0;
  const rate = new RenderRate(() => nowMs);
  for (let at = 0; at < 5; at++) {
    nowMs += 1_000;
    expect(rate.update(0, 900, true)).toBeUndefined();
  }
});

test('the end of a stream takes effect at once, even in the middle of a second: nothing is reported after it', () => {
  let nowMs = 0;
  const rate = new RenderRate(() => nowMs);
  const after = (ms: number, received: number) => {
    nowMs += ms;
    return rate.update(0, received, true);
  };
  after(1_000, 6_000);
  expect(after(1_000, 6_000)).toBe(0);
  expect(after(400, 0)).toBeUndefined();
});
