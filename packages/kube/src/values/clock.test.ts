import { expect, test, vi } from 'vitest';
import { FakeClock, sleep, systemClock } from './clock.ts';

test('timers fire in order, each at its own time', async () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  clock.after(20, () => fired.push(`b at ${clock.now()}`));
  clock.after(10, () => fired.push(`a at ${clock.now()}`));
  clock.after(20, () => fired.push(`c at ${clock.now()}`));
  await clock.advance(15);
  expect(fired).toEqual(['a at 10']);
  await clock.advance(5);
  expect(fired).toEqual(['a at 10', 'b at 20', 'c at 20']);
});

test('a canceled timer never fires', async () => {
  const clock = new FakeClock(0);
  let fired = false;
  clock.after(10, () => {
    fired = true;
  })();
  clock.after(5, () => {})();
  await clock.advance(100);
  expect(fired).toBe(false);
  expect(clock.pending).toBe(0);
});

test('a sleep ends with the reason of its signal and leaves no timer', async () => {
  const clock = new FakeClock(0);
  const controller = new AbortController();
  const slept = sleep(clock, 1000, controller.signal);
  controller.abort(new Error('stop'));
  await expect(slept).rejects.toThrow('stop');
  expect(clock.pending).toBe(0);
});

test.each([2 ** 31, 1e300, Number.POSITIVE_INFINITY])('a wait of %d ms does not end at once', (delayMs) => {
  vi.useFakeTimers();
  try {
    const callback = vi.fn();
    const cancel = systemClock.after(delayMs, callback);
    vi.advanceTimersByTime(86_400_000);
    expect(callback).not.toHaveBeenCalled();
    cancel();
  } finally {
    vi.useRealTimers();
  }
});
