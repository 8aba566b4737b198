import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { wallTime, type ZoneClock } from '../console/session/zone-time.ts';
import type { ScanStatus } from '../worker/session/protocol.ts';
import { countText } from './count.ts';

/** Whether a scan has read all of its range, so that its counts are exact. */
export function isExact({ state, incomplete }: ScanStatus): boolean {
  return state === 'done' && incomplete === 0;
}

/** What a count is of: `in 12:15:00 to 13:08:00`, or the part of it that was read. */
export function scopeText(scan: ScanStatus, clock: ZoneClock): string {
  const range = rangeText(scan.fromMs, scan.toMs, clock);
  if (isExact(scan)) return `in ${range}`;
  const { readToMs } = scan;
  if (readToMs === undefined) return `in what was read of ${range}`;
  if (readToMs === Number.POSITIVE_INFINITY)
    return `in ${range}, without ${countText(scan.incomplete, 'container')}`;
  return `in ${rangeText(scan.fromMs, readToMs, clock)} of ${range}`;
}

/** `12:15:00 to 13:08:00`, with the dates where they differ; `all logs` without an end on either side. */
export function rangeText(fromMs: number | undefined, toMs: number | undefined, clock: ZoneClock): string {
  if (fromMs === undefined && toMs === undefined) return 'all logs';
  const from = fromMs === undefined ? undefined : wallTime(clock, timestampFromMs(fromMs));
  const to = toMs === undefined ? undefined : wallTime(clock, timestampFromMs(toMs));
  const withDate = from?.date !== to?.date && from !== undefined && to !== undefined;
  const text = (at: typeof from) =>
    at === undefined ? '' : `${withDate ? `${at.date} ` : ''}${at.time.slice(0, 8)}`;
  if (from === undefined) return `the beginning to ${text(to)}`;
  return to === undefined ? `${text(from)} to now` : `${text(from)} to ${text(to)}`;
}

/** What a person can do about what was not read; undefined: all was. */
export function restText(scan: ScanStatus): string | undefined {
  if (scan.state === 'failed') return 'Try again';
  if (scan.state === 'reading' || isExact(scan)) return undefined;
  return scan.state === 'done' ? 'Read the others again' : 'Search the rest';
}
