import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { wallTime, type ZoneClock } from '../console/state/zone-time.ts';

/** Returns a time to the second, with its date unless that is today. `atMs`: ms since the epoch. */
export function timeText(clock: ZoneClock, atMs: number): string {
  return datedTimeText(clock, atMs, dateText(clock, Date.now()));
}

/** Returns the date on that zone's clock: `2026-11-21`. `atMs`: ms since the epoch. */
export function dateText(clock: ZoneClock, atMs: number): string {
  return wallTime(clock, timestampFromMs(atMs)).date;
}

/** Returns the date of a range that lies within one day; undefined: within several. Both ends in ms since the epoch. */
export function onlyDayText(clock: ZoneClock, fromMs: number, toMs: number): string | undefined {
  const day = dateText(clock, fromMs);
  return day === dateText(clock, toMs) ? day : undefined;
}

/**
 * Returns a time to the second, `10:00:00`, with its date unless that is `day`: without the date, a time of another
 * day would read as one of that day. `atMs`: ms since the epoch. `day`: the date that the reader assumes, dateText.
 */
export function datedTimeText(clock: ZoneClock, atMs: number, day: string): string {
  const { date, time } = wallTime(clock, timestampFromMs(atMs));
  return date === day ? time.slice(0, 8) : `${date} ${time.slice(0, 8)}`;
}
