import { expect, test } from 'vitest';
import { formatAge, formatBytes } from './ages.tsx';

test('ages are short', () => {
  const cases = [-5_000, 0, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_000, 172_800_000];
  expect(cases.map(formatAge)).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d']);
});

test('sizes have up to three digits', () => {
  const cases = [
    0, 999, 1000, 20_000, 400_000, 999_499, 999_500, 1_100_000, 24_100_000, 141_000_000, 612e6, 3.2e12,
  ];
  expect(cases.map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1 KB',
    '20 KB',
    '400 KB',
    '999 KB',
    '1.0 MB',
    '1.1 MB',
    '24.1 MB',
    '141 MB',
    '612 MB',
    '3.2 TB',
  ]);
});
