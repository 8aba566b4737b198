import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { parseTimePoint, type TimePointFault } from '../../../domain/time-point.ts';
import type { Bound } from '../../../domain/window.ts';
import type { FlagUse } from '../../flags/flag.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import type { Settings } from '../../settings/settings.ts';

export interface Bounds {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly sinceSeconds: number | undefined;
}

interface ReadBound {
  readonly bound: Bound;
  readonly agoSeconds: number | undefined;
}

/**
 * Reads the window's ends from --since or --after and --until or --before; durations count back from `now`.
 */
export function readBounds(settings: Settings<'logs'>, now: Timestamp): Bounds {
  const start = exclusive(settings, 'since', 'after', 'exclusive-start');
  const end = exclusive(settings, 'until', 'before', 'exclusive-end');
  const from = start === undefined ? undefined : readBound(start.use, start.inclusive, now);
  const to = end === undefined ? undefined : readBound(end.use, end.inclusive, now);
  if (start && end && from && to && isEmpty(from.bound, to.bound))
    throw usageFailure('empty-window', { start: start.use, end: end.use });
  return { from: from?.bound, to: to?.bound, sinceSeconds: from?.agoSeconds };
}

/** Reads the ends of a range from --since and --until only. */
export function readRange(
  settings: Settings<'events'>,
  now: Timestamp,
): { readonly from: Timestamp | undefined; readonly to: Timestamp | undefined } {
  const [start, end] = [settings.given('since'), settings.given('until')];
  const from = start && readBound(start, true, now).bound;
  const to = end && readBound(end, true, now).bound;
  if (start && end && from && to && isEmpty(from, to)) throw usageFailure('empty-window', { start, end });
  return { from: from && timeOf(from), to: to && timeOf(to) };
}

/** Reads where `why` begins; a duration counts back from `now`. */
export function readStart(settings: Settings<'why'>, now: Timestamp): Timestamp {
  const use = settings.given('since') ?? { written: '--since', value: settings.value('since') };
  return timeOf(readBound(use, true, now).bound);
}

function exclusive(
  settings: Settings<'logs'>,
  inclusive: 'since' | 'until',
  strict: 'after' | 'before',
  code: 'exclusive-start' | 'exclusive-end',
) {
  const one = settings.given(inclusive);
  const other = settings.given(strict);
  if (one !== undefined && other !== undefined) {
    throw usageFailure(code, { inclusive, strict });
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

function describeFault(use: FlagUse, fault: TimePointFault, text: string, durations: boolean) {
  const takes = durations ? 'durations' : 'cursors';
  switch (fault) {
    case 'no-zone':
      return badValue('time-without-zone', use, { text });
    case 'date-only':
      return badValue('time-date-only', use, { text });
    case 'duration-not-allowed': {
      const instead = use.written === '--after' ? '--since' : '--until';
      return badValue('duration-not-allowed', use, { text, instead });
    }
    case 'cursor-not-allowed':
      return badValue('cursor-not-allowed', use, {});
    case 'calendar-duration':
      return badValue('duration-calendar', use, {});
    case 'negative-duration':
      return badValue('duration-negative', use, {});
    case 'out-of-range':
      return badValue('time-out-of-range', use, { takes });
    case 'malformed':
      return badValue('time-malformed', use, { takes });
  }
}

/** Names the cursor of a flag for messages. */
export function writtenCursor(settings: Settings<'logs'>, name: 'after' | 'before'): string {
  return `a cursor of ${settings.given(name)?.written ?? `--${name}`}`;
}

/** Whether no record can be between the two ends. At equal timestamps the cursors' counts decide. */
function isEmpty(from: Bound, to: Bound): boolean {
  const order = compareTimestamps(timeOf(from), timeOf(to));
  if (order !== 0) return order > 0;
  return startRank(from) >= endRank(to);
}

/** Returns the time of one end of a window. */
export function timeOf(bound: Bound): Timestamp {
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

/** Returns the number of records at exactly the bound's time that precede the window's start. */
function startRank(bound: Bound): number {
  if (bound.kind === 'cursor') return bound.cursor.shown;
  return bound.kind === 'inclusive' ? 0 : Number.POSITIVE_INFINITY;
}

/** Returns the number of records at exactly the bound's time that precede the window's end. */
function endRank(bound: Bound): number {
  if (bound.kind === 'cursor') return bound.cursor.shown;
  return bound.kind === 'inclusive' ? Number.POSITIVE_INFINITY : 0;
}
