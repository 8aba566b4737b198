import { expect, test } from 'vitest';
import { restartedText, stateDetail } from './container-report.ts';

test.each([
  [1, '1st time'],
  [2, '2nd time'],
  [3, '3rd time'],
  [4, '4th time'],
  [11, '11th time'],
  [12, '12th time'],
  [13, '13th time'],
  [21, '21st time'],
  [102, '102nd time'],
])('a restart is counted in words: %i', (count, text) => {
  expect(restartedText(count)).toBe(text);
});

test.each([
  [{ reason: 'OOMKilled', exitCode: 137 }, '2nd time, after OOMKilled (137)'],
  [{ reason: 'Completed', exitCode: 0 }, '2nd time, after Completed'],
  [{ reason: '', exitCode: 0 }, '2nd time'],
  [undefined, '2nd time'],
])('a restart says how the run before ended: %j', (after, text) => {
  expect(stateDetail({ state: 'restarted', count: 2, after }, () => '')).toBe(text);
});
