import { describe, expect, test } from 'vitest';
import { needleStretches } from './needle-stretches.ts';

const STAMP = '2026-11-21T10:00:00.123456789Z';
const entry = (message: string, tag = 'F', stream = 'stdout') => `${STAMP} ${stream} ${tag} ${message}\n`;
const plain = (count: number, message = 'a line without it') =>
  Array.from({ length: count }, (_, at) => entry(`${message} ${at}`));

/** Returns the entries that are read of those, as their indexes. */
function readOf(
  entries: readonly string[],
  pattern: string,
  stream?: 'stdout' | 'stderr',
): readonly number[] {
  const stretches = needleStretches(pattern, false, stream);
  const starts = entries.map((_, at) => Buffer.byteLength(entries.slice(0, at).join('')));
  const ranges = stretches!(Buffer.from(entries.join('')));
  return starts.flatMap((start, at) =>
    ranges.some(([from, to]) => start >= from && start < to) ? [at] : [],
  );
}

describe('what of the bytes must be read for a pattern', () => {
  test('is nothing less than everything without a text that it requires', () => {
    expect(needleStretches('a|b', false, undefined)).toBeUndefined();
    expect(needleStretches('error', true, undefined)).toBeUndefined();
    expect(needleStretches('', false, undefined)).toBeUndefined();
  });

  test('is the first entry, and those with the text', () => {
    const entries = [...plain(100), entry('a needle'), ...plain(100), entry('another needle'), ...plain(10)];
    expect(readOf(entries, 'needle')).toEqual([0, 100, 201]);
    expect(readOf(entries, 'an?o?t?h?e?r? needle$')).toEqual([0, 100, 201]);
    expect(readOf(entries, 'nothing of it')).toEqual([0]);
  });

  test('is also what has colors, and all entries of a line that has several', () => {
    const colored = [...plain(50), entry('a nee\x1b[1mdle'), ...plain(50)];
    expect(readOf(colored, 'needle')).toEqual([0, 50]);
    const split = [...plain(50), entry('a nee', 'P'), entry('dle', 'P'), entry(' goes on'), ...plain(50)];
    expect(readOf(split, 'needle')).toEqual([0, 50, 51, 52]);
  });

  test.each([
    ['as the only such letter', 'a line without it'],
    ['among many such letters', 'POST /Pay: P P: P'],
  ])('finds a line of several entries by its tag: %s', (_, message) => {
    for (const tag of ['P', 'P:more']) {
      const entries = [...plain(300, message), entry('a nee', tag), entry('dle'), ...plain(300, message)];
      expect(readOf(entries, 'needle')).toEqual([0, 300, 301]);
    }
  });

  test('follows a line over the entries of the other stream, if one is chosen', () => {
    const open = [entry('a nee', 'P'), entry('x', 'F', 'stderr'), entry('dle')];
    const entries = [...plain(50), ...open, ...plain(50)];
    expect(readOf(entries, 'needle', 'stdout')).toEqual([0, 50, 51, 52]);
    expect(readOf(entries, 'needle')).toEqual([0, 50, 51]);
  });

  test('is everything where the text is frequent', () => {
    const entries = plain(300, 'needle');
    expect(readOf(entries, 'needle')).toHaveLength(300);
  });
});
