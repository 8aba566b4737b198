import { usageError } from '@logtool/kube/src/values/errors.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { parseTimePoint, type TimePointFault } from '../../domain/time-point.ts';
import type { Bound } from '../../domain/window.ts';
import type { FlagUse } from '../flags/flag.ts';
import type { Settings } from './settings.ts';
import { badValue } from './values.ts';

export interface Bounds {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly sinceSeconds: number | undefined;
}

interface ReadBound {
  readonly bound: Bound;
  readonly agoSeconds: number | undefined;
}

/** The window's ends from --since or --after and --until or --before; durations count back from `now`. */
export function readBounds(settings: Settings, now: Timestamp): Bounds {
  const start = exclusive(settings, 'since', 'after', 'exclusive-start', 'where the window begins');
  const end = exclusive(settings, 'until', 'before', 'exclusive-end', 'where the window ends');
  const from = start === undefined ? undefined : readBound(start.use, start.inclusive, now);
  const to = end === undefined ? undefined : readBound(end.use, end.inclusive, now);
  if (start && end && from && to && isEmpty(from.bound, to.bound)) throw emptyWindow(start.use, end.use);
  return { from: from?.bound, to: to?.bound, sinceSeconds: from?.agoSeconds };
}

function exclusive(settings: Settings, inclusive: string, strict: string, code: string, says: string) {
  const one = settings.given(inclusive);
  const other = settings.given(strict);
  if (one !== undefined && other !== undefined) {
    throw usageError({
      code,
      what: `--${inclusive} and --${strict} exclude each other`,
      why: `both say ${says}: --${inclusive} with its time point, --${strict} without it`,
      next: 'keep one of them',
    });
  }
  if (one !== undefined) return { use: one, inclusive: true };
  return other === undefined ? undefined : { use: other, inclusive: false };
}

function readBound(use: FlagUse, inclusive: boolean, now: Timestamp): ReadBound {
  const text = use.value?.trim() ?? '';
  const point = parseTimePoint(text, { now, durations: inclusive, cursors: !inclusive });
  switch (point.kind) {
    case 'time':
      return {
        bound: { kind: inclusive ? 'inclusive' : 'strict', at: point.at },
        agoSeconds: point.agoSeconds,
      };
    case 'cursor':
      return { bound: { kind: 'cursor', cursor: point.cursor }, agoSeconds: undefined };
    case 'bad':
      throw describeFault(use, point.reason, text, inclusive);
  }
}

const TIME_EXAMPLE = '2026-11-21T10:00:00Z or 2026-11-21T10:00:00+01:00';

function describeFault(use: FlagUse, fault: TimePointFault, text: string, durations: boolean) {
  const other = use.written === '--after' ? '--since' : '--until';
  const [code, why, next] = FAULTS[fault](text, other);
  const fallback = durations
    ? `write a time such as ${TIME_EXAMPLE}, or a duration such as 30m or 1d`
    : undefined;
  return badValue(code, use, why, next ?? fallback ?? `write a time such as ${TIME_EXAMPLE}, or a cursor`);
}

type FaultText = readonly [code: string, why: string, next?: string];

const FAULTS: Readonly<Record<TimePointFault, (text: string, other: string) => FaultText>> = {
  'no-zone': (text) => [
    'time-without-zone',
    'without a zone the time is ambiguous',
    `add Z for UTC or an offset: ${text.slice(0, 40)}Z, ${text.slice(0, 40)}+01:00`,
  ],
  'date-only': (text) => ['time-date-only', 'it is a date without a time', `write ${text}T00:00:00Z`],
  'duration-not-allowed': (text, other) => [
    'duration-not-allowed',
    'a duration is taken by --since and --until only',
    `use ${other}=${text.slice(0, 40)}, or write a time such as ${TIME_EXAMPLE}`,
  ],
  'cursor-not-allowed': () => [
    'cursor-not-allowed',
    'a cursor is taken by --after and --before only',
    'use --after to continue after a cursor, --before to end at one',
  ],
  'calendar-duration': () => [
    'duration-calendar',
    'the length of years and months is not fixed',
    'use weeks, days or hours: P4W, P30D, PT720H',
  ],
  'negative-duration': () => [
    'duration-negative',
    'a duration counts back from now already',
    'leave the minus out, or write a time',
  ],
  'out-of-range': () => ['time-out-of-range', 'it lies outside the years 1 to 9999'],
  malformed: () => ['time-malformed', 'it is not a time with a zone, nor what else the flag takes'],
};

/** Whether no record can lie between the two ends. Positions between equal timestamps go by the cursors' counts. */
function isEmpty(from: Bound, to: Bound): boolean {
  const order = compareTimestamps(timeOf(from), timeOf(to));
  if (order !== 0) return order > 0;
  return startRank(from) >= endRank(to);
}

function timeOf(bound: Bound): Timestamp {
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

/** Number of records at exactly the bound's time that lie before the window begins. */
function startRank(bound: Bound): number {
  if (bound.kind === 'cursor') return bound.cursor.shown;
  return bound.kind === 'inclusive' ? 0 : Number.POSITIVE_INFINITY;
}

/** Number of records at exactly the bound's time that lie before the window ends. */
function endRank(bound: Bound): number {
  if (bound.kind === 'cursor') return bound.cursor.shown;
  return bound.kind === 'inclusive' ? Number.POSITIVE_INFINITY : 0;
}

function emptyWindow(start: FlagUse, end: FlagUse) {
  return usageError({
    code: 'empty-window',
    what: `the window from ${start.written} to ${end.written} is empty`,
    why: `${start.written}=${start.value} is not before ${end.written}=${end.value}`,
    next: 'exchange the two, or leave one of them out',
  });
}
