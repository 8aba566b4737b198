import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { findSpans } from './find-spans.ts';

const rangesOf = (pattern: string, text: string) =>
  findSpans(RE2JS.compile(pattern).matcher(text), text.length);

test('every place of a line as people read them, but for the empty ones', () => {
  expect(rangesOf('a*', 'baab')).toEqual([{ start: 1, end: 3 }]);
  expect(rangesOf('a', 'a'.repeat(1024))).toHaveLength(1024);
});

test('of a long line the first places, so that all looks together stay linear', () => {
  for (const pattern of ['a(.*b)?', '(.*b)?']) {
    const text = 'a'.repeat(100_000);
    let reads = 0;
    const matcher = RE2JS.compile(pattern).matcher(text);
    const counted = {
      find: () => {
        reads++;
        return matcher.find();
      },
      start: () => matcher.start(),
      end: () => matcher.end(),
    };
    findSpans(counted, text.length);
    expect(reads).toBeLessThan(20);
  }
});
