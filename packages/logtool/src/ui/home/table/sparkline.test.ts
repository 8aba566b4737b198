import { expect, test } from 'vitest';
import { describeActivity, sparklinePaths } from './sparkline.tsx';

test('errors stand on top of the other lines, and both together are as high as the minute', () => {
  expect(sparklinePaths([18, 9], [9, 0])).toEqual({
    lines: 'M0 9h3v9h-3zM4 9h3v9h-3z',
    errors: 'M0 0h3v9h-3z',
  });
});

test('a minute with few lines or few errors is still seen', () => {
  const { lines, errors } = sparklinePaths([1000, 1, 1000], [0, 0, 1]);
  expect(lines).toContain('M4 17h3v1h-3z');
  expect(errors).toBe('M8 0h3v1h-3z');
});

test('no lines draw nothing', () => {
  expect(sparklinePaths([0, 0], [0, 0])).toEqual({ lines: '', errors: '' });
});

test('the text says the same', () => {
  expect(describeActivity([1200, 4], [31, 0])).toBe(
    'Last 2 minutes: 1,204 lines, 31 errors, at most 1,200 lines in a minute',
  );
  expect(describeActivity([1], [1])).toBe('Last 1 minute: 1 line, 1 error, at most 1 line in a minute');
  expect(describeActivity([0, 0], [0, 0])).toBe('Last 2 minutes: no lines');
});
