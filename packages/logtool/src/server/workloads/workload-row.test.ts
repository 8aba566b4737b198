import { expect, test } from 'vitest';
import { nextRunAt } from './workload-row.ts';

const NOW = Date.UTC(2026, 10, 21, 10, 7, 30);

test.each([
  ['*/5 * * * *', undefined, '2026-11-21T10:10:00.000Z'],
  ['0 3 * * *', undefined, '2026-11-22T03:00:00.000Z'],
  ['0 3 * * *', 'Europe/Berlin', '2026-11-22T02:00:00.000Z'],
  ['TZ=Asia/Kolkata 30 16 * * *', undefined, '2026-11-21T11:00:00.000Z'],
  ['@hourly', undefined, '2026-11-21T11:00:00.000Z'],
  ['@daily', 'America/New_York', '2026-11-22T05:00:00.000Z'],
  ['0 0 1 JAN ?', undefined, '2027-01-01T00:00:00.000Z'],
  // A day of the month or a day of the week: either matches.
  ['0 0 13 * 1', undefined, '2026-11-23T00:00:00.000Z'],
  ['0 0 30 2 *', undefined, undefined],
  ['@every 1h', undefined, undefined],
  ['* * * * * *', undefined, undefined],
  ['not a schedule at all', undefined, undefined],
  ['0 3 * * *', 'Nowhere/Land', undefined],
])('%s in %s', (schedule, zone, next) => {
  expect(nextRunAt(schedule, zone, NOW)).toBe(next);
});
