import type { EnginePlan } from '../plan/engine.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';

const MIN_SHARE = 16;
/**
 * Records beyond the shown ones. One proves that more exist, and shows where the previous page ends; the other ensures
 * that no unknown records share the time of the first.
 */
export const SPARE_RECORDS = 2;

/** Returns how many records a tail of this size first requests from each of its containers. */
export function firstWant(plan: EnginePlan, count: number, containers: number): number {
  const { window, filter } = plan;
  // A cursor's count adds to it.
  const extra = SPARE_RECORDS + (window.to?.kind === 'cursor' ? window.to.cursor.shown : 0);
  const share = Math.max(MIN_SHARE, Math.ceil(((count + extra) * 2) / Math.max(1, containers)));
  const hasLive = window.follow && count > 0;
  // Records at the end may be context of later matches.
  const ring = hasLive ? filter.beforeContext : 0;
  return Math.max(ring, Math.min(count + extra, share));
}

/** Returns the lines to request so that this many records are certain: the first may be the end of a long one. */
export function linesFor(records: number): number {
  return records + LOOKAHEAD_RECORDS + 1;
}

/** Returns the lines that the tail of a single container first requests. */
export function firstAsk(plan: EnginePlan, count: number): number {
  return linesFor(firstWant(plan, count, 1));
}
