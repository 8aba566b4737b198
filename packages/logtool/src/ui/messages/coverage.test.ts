import { expect, test } from 'vitest';
import { makeZoneClock } from '../console/state/zone-time.ts';
import type { ScanStatus } from '../worker/protocol/protocol.ts';
import { isExact, rangeText, rateText, restText, scopeText, wholeText } from './coverage.ts';

const UTC = makeZoneClock('UTC');
const FROM_MS = Date.parse('2026-11-21T10:00:00Z');
const NOW_MS = FROM_MS + 12 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const WHOLE: ScanStatus = {
  state: 'done',
  error: undefined,
  progress: undefined,
  lines: 5,
  hits: 0,
  fromMs: FROM_MS,
  toMs: FROM_MS + 3_600_000,
  readToMs: Number.POSITIVE_INFINITY,
  incomplete: 0,
  failedSources: 0,
  loadedLines: undefined,
  missing: undefined,
  bucketMs: 5_000,
  errorsBegin: undefined,
};

test.each([
  [{}, 'in 10:00:00 to 11:00:00'],
  [{ incomplete: 2 }, 'in 10:00:00 to 11:00:00, without 2 containers'],
  [{ failedSources: 1 }, 'in 10:00:00 to 11:00:00, without 1 source'],
  [{ incomplete: 1, failedSources: 2 }, 'in 10:00:00 to 11:00:00, without 1 container and 2 sources'],
  [
    { readToMs: FROM_MS + 60_000, failedSources: 1 },
    'in 10:00:00 to 10:01:00 of 10:00:00 to 11:00:00, without 1 source',
  ],
  [{ state: 'failed' as const, loadedLines: 1_200 }, 'in the 1,200 loaded lines of 10:00:00 to 11:00:00'],
  [{ state: 'failed' as const }, 'in the part that logtool read of 10:00:00 to 11:00:00'],
  [
    { readToMs: undefined, failedSources: 1 },
    'in the part that logtool read of 10:00:00 to 11:00:00, without 1 source',
  ],
])('a count names what it lacks: %j', (change, text) => {
  const scan = { ...WHOLE, ...change };
  expect(scopeText(scan, UTC, NOW_MS)).toBe(text);
  expect(isExact(scan)).toBe(Object.keys(change).length === 0);
});

test('sources that failed are read again on request', () => {
  expect(restText({ ...WHOLE, failedSources: 1 })).toBe('Read the others again');
  expect(restText({ ...WHOLE, incomplete: 1, isRefused: true })).toBeUndefined();
  expect(restText(WHOLE)).toBeUndefined();
});

test('a rate of new lines is claimed only while lines of every container can arrive', () => {
  const live = {
    connection: { state: 'live' },
    awayContainers: 0,
    unanswered: undefined,
    receivedPerSecond: 1_234.4,
  } as const;
  expect(rateText(live)).toBe('1,234/s now');
  const reconnecting = { state: 'reconnecting', retryAtMs: 0, error: undefined } as const;
  const silent = { ids: ['a'], node: undefined, sinceMs: 0 };
  for (const change of [
    { connection: reconnecting },
    { connection: { state: 'ended' } as const },
    { awayContainers: 1 },
    { unanswered: silent },
  ])
    expect(rateText({ ...live, ...change })).toBeUndefined();
});

const NONE_MISSING = {
  lost: 0,
  lostFromMs: Number.POSITIVE_INFINITY,
  lostToMs: Number.NEGATIVE_INFINITY,
  gaps: 0,
  gapFromMs: Number.POSITIVE_INFINITY,
  gapToMs: Number.NEGATIVE_INFINITY,
  gone: 0,
  goneRuns: 0,
  goneRunsToMs: undefined,
};
const LATER_MS = FROM_MS + 600_000;

test.each([
  [{ lost: 1, lostFromMs: LATER_MS, lostToMs: LATER_MS }, 'the log of 1 container only from 10:10:00 on'],
  [{ lost: 2, lostFromMs: LATER_MS, lostToMs: LATER_MS }, 'the logs of 2 containers only from 10:10:00 on'],
  [
    { lost: 2, lostFromMs: FROM_MS + 60_000, lostToMs: LATER_MS },
    'the logs of 2 containers only from 10:01:00 and 10:10:00 on',
  ],
  [
    { lost: 3, lostFromMs: FROM_MS + 60_000, lostToMs: LATER_MS },
    'the logs of 3 containers only from times between 10:01:00 and 10:10:00 on',
  ],
])('a count names when the logs begin, the earliest and the latest: %j', (change, text) => {
  const scan = { ...WHOLE, missing: { ...NONE_MISSING, ...change } };
  expect(scopeText(scan, UTC, NOW_MS)).toBe(
    `in 10:00:00 to 11:00:00, ${text}: the node may have removed earlier lines`,
  );
});

test.each([
  [1, undefined, '1 earlier run is gone: Kubernetes keeps one'],
  [3, undefined, '3 earlier runs are gone: Kubernetes keeps one'],
  [1, LATER_MS, '1 earlier run before 10:10:00 is gone: Kubernetes keeps one'],
  [3, LATER_MS, '3 earlier runs before 10:10:00 are gone: Kubernetes keeps one'],
])(
  'a count names %i earlier runs that are gone, and when they had ended if that is known (%j)',
  (goneRuns, goneRunsToMs, what) => {
    const missing = { ...NONE_MISSING, goneRuns, goneRunsToMs };
    expect(scopeText({ ...WHOLE, missing }, UTC, NOW_MS)).toBe(`in 10:00:00 to 11:00:00, ${what}`);
  },
);

test('a gap with an unknown end reaches to the end', () => {
  const missing = { ...NONE_MISSING, gaps: 1, gapFromMs: LATER_MS, gapToMs: Number.POSITIVE_INFINITY };
  expect(scopeText({ ...WHOLE, missing }, UTC, NOW_MS)).toBe(
    'in 10:00:00 to 11:00:00, without the gap 10:10:00 to now',
  );
});

test('the times of a range carry their dates, once each, unless they are of today', () => {
  const texts = [NOW_MS, NOW_MS + DAY_MS].flatMap((nowMs) => [
    rangeText(FROM_MS, undefined, UTC, nowMs),
    rangeText(undefined, FROM_MS, UTC, nowMs),
    rangeText(FROM_MS, FROM_MS + 60_000, UTC, nowMs),
    rangeText(FROM_MS, FROM_MS + DAY_MS, UTC, nowMs),
  ]);
  expect(texts).toEqual([
    '10:00:00 to now',
    'the beginning to 10:00:00',
    '10:00:00 to 10:01:00',
    '10:00:00 to 2026-11-22 10:00:00',
    '2026-11-21 10:00:00 to now',
    'the beginning to 2026-11-21 10:00:00',
    '2026-11-21 10:00:00 to 10:01:00',
    '2026-11-21 10:00:00 to 2026-11-22 10:00:00',
  ]);
});

test('the time from which logs are there carries its date unless it is of today', () => {
  const missing = { ...NONE_MISSING, lost: 1, lostFromMs: LATER_MS, lostToMs: LATER_MS };
  const scope = scopeText({ ...WHOLE, fromMs: undefined, toMs: undefined, missing }, UTC, NOW_MS + DAY_MS);
  expect(scope).toContain('only from 2026-11-21 10:10:00 on');
});

const READABLE = { hasGaps: false, goneRuns: 0, lostBeginnings: 0, emptyOnNodes: [], goneContainers: 0 };

test.each([
  [{}, {}, 'in all logs'],
  [{ last: '5m' }, {}, 'in the range'],
  [{}, { emptyOnNodes: ['node-a'] }, 'in the readable part of the logs'],
  [{ from: '2027-01-15T10:00:00Z' }, { hasGaps: true }, 'in the readable part of the range'],
  [
    {},
    { hasGaps: true, goneContainers: 1 },
    'in the readable part of the logs, only loaded lines of 1 container that no longer exists',
  ],
])('a count of %j, all of it loaded (%j), is one %s', (range, lacks, text) => {
  expect(wholeText(range, { ...READABLE, ...lacks })).toBe(text);
});
