import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectSooner } from './start-binary.ts';

const MIB = 2 ** 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('collects when the process has grown, and again only when it has grown since', () => {
  let resident = 60 * MIB;
  let live = 50 * MIB;
  let collections = 0;
  collectSooner({
    residentBytes: () => resident,
    collect: () => {
      collections++;
      resident = live;
    },
  });
  vi.advanceTimersByTime(10_000);
  expect(collections).toBe(0);
  resident = 90 * MIB;
  vi.advanceTimersByTime(1000);
  expect(collections).toBe(1);
  // The program uses more than its usual share. That is no reason to collect forever.
  live = 150 * MIB;
  resident = 160 * MIB;
  vi.advanceTimersByTime(1000);
  expect(collections).toBe(2);
  resident = 157 * MIB;
  vi.advanceTimersByTime(10_000);
  expect(collections).toBe(2);
  resident = 159 * MIB;
  vi.advanceTimersByTime(1000);
  expect(collections).toBe(3);
});

test('keeps no process alive', () => {
  vi.useRealTimers();
  const timer = collectSooner({ residentBytes: () => 0, collect: () => undefined });
  expect(timer.hasRef()).toBe(false);
  clearInterval(timer);
});
