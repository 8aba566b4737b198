import { expect } from 'vitest';
import { PATIENCE_MS } from './visit.ts';

/** Polls until the expectation holds: `await eventually(() => rows(page)).toEqual([...])`. */
export function eventually<T>(actual: () => T | Promise<T>, timeoutMs = PATIENCE_MS) {
  return expect.poll(actual, { timeout: timeoutMs, interval: 50 });
}
