import { expect, test } from 'vitest';
import { makeZoneClock } from '../console/state/zone-time.ts';
import { eventExtent } from './event-extent.ts';

const READ = {
  state: 'read',
  isResting: false,
  isCut: false,
  notices: [],
  eventsSinceMs: Date.UTC(2026, 10, 21, 10),
  error: undefined,
} as const;
const clock = makeZoneClock('UTC');
const SINCE = 'the cluster has events since 2026-11-21 10:00:00';

test('names the time from which the cluster has events, and each reason why some do not appear', () => {
  expect(eventExtent(READ, clock)).toEqual([SINCE]);
  expect(eventExtent({ ...READ, notices: ['events of nodes do not appear'] }, clock)).toEqual([
    'events of nodes do not appear',
    SINCE,
  ]);
  expect(eventExtent({ ...READ, state: 'off' }, clock)).toEqual([]);
});

test('says that the window keeps only the newest events, though the cluster has earlier ones', () => {
  expect(eventExtent({ ...READ, isCut: true }, clock)).toEqual([
    'there are more events than this window keeps; only the newest appear',
    SINCE,
  ]);
});
