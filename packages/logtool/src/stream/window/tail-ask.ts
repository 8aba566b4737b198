import type { EnginePlan } from '../engine.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';

const MIN_SHARE = 16;
/**
 * More than are shown. One shows whether there is any, and where the page before it ends; the other that the
 * one is not of a time of which more may be unknown.
 */
export const SPARE_RECORDS = 2;

/** How many records a tail of this size requests from each of its containers at first. */
export function firstWant(plan: EnginePlan, count: number, containers: number): number {
  const { window, filter } = plan;
  // A cursor's count comes on top.
  const extra = SPARE_RECORDS + (window.to?.kind === 'cursor' ? window.to.cursor.shown : 0);
  const share = Math.max(MIN_SHARE, Math.ceil(((count + extra) * 2) / Math.max(1, containers)));
  const hasLive = window.follow && count > 0;
  // Records at the end may be context of later matches.
  const ring = hasLive ? filter.beforeContext : 0;
  return Math.max(ring, Math.min(count + extra, share));
}

/** Lines to request so that this many records are certain: the first may be the end of a long one. */
export function linesFor(records: number): number {
  return records + LOOKAHEAD_RECORDS + 1;
}

/** Lines that the tail of a single container asks for at first. */
export function firstAsk(plan: EnginePlan, count: number): number {
  return linesFor(firstWant(plan, count, 1));
}
