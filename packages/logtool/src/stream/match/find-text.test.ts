import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holdsText } from './find-text.ts';

/** Repetitive texts of few letters: any prefix of them occurs at many positions. */
const repeating = (maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'ab'), fc.integer({ min: 1, max: 90 })), { maxLength })
    .map((repeats) => Buffer.from(repeats.map(([text, count]) => text.repeat(count)).join('')));

test('finds what includes finds', () => {
  fc.assert(
    fc.property(repeating(12), repeating(4), fc.nat(900), (bytes, other, start) => {
      for (const text of [other, bytes.subarray(start), bytes.subarray(start, start + 80)])
        expect(holdsText(bytes, text)).toBe(bytes.includes(text));
    }),
  );
});

test('bytes that repeat themselves are compared with all of a text in few places', () => {
  const compare = vi.spyOn(Buffer.prototype, 'compare');
  const natives = [vi.spyOn(Buffer.prototype, 'indexOf'), vi.spyOn(Buffer.prototype, 'includes')];
  onTestFinished(() => void vi.restoreAllMocks());
  const text = Buffer.from(`${'a'.repeat(5_000)}b${'a'.repeat(4_999)}`);
  const bytes = Buffer.from('a'.repeat(1_000_000));
  expect(holdsText(bytes, text)).toBe(false);
  expect(holdsText(Buffer.concat([bytes, text]), text)).toBe(true);
  expect(compare.mock.calls.length).toBeLessThan(300);
  const needles = natives.flatMap(({ mock }) => mock.calls.map(([needle]) => (needle as Buffer).length));
  expect(Math.max(...needles)).toBe(64);
});
