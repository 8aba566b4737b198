import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import { isAfter, isAtCursor, isBefore, isInside, type MissingRange } from './missing.ts';

/**
 * Where the held part ends. `older`: `beginning` if no lines exist before it, else the bound of the lines before it.
 * `newer`: `now` if arriving lines continue it (or everything is loaded), else the bound of the lines after it.
 */
export interface Edges {
  older: 'unknown' | 'beginning' | WireBound;
  newer: 'now' | WireBound;
}

/** Where an arriving line belongs. */
export type Fate = 'held' | 'before' | 'after' | MissingRange;

/** Decides where an arriving line belongs. Only lines in the held part are kept; others load with their range. */
export function fateOf(edges: Edges, missing: ReadonlyMap<number, MissingRange>, at: Timestamp): Fate {
  const { older, newer } = edges;
  if (typeof newer !== 'string' && isAfter(newer, at)) return 'after';
  if (typeof older !== 'string' && isBefore(older, at)) return 'before';
  for (const range of missing.values()) if (isInside(range, at)) return range;
  return 'held';
}

/** Whether only some of the lines at a time may be held, because an edge of the held part divides them. */
export function dividesTime(
  { older, newer }: Edges,
  missing: ReadonlyMap<number, MissingRange>,
  at: Timestamp,
): boolean {
  if (typeof older !== 'string' && isAtCursor(older, at)) return true;
  if (typeof newer !== 'string' && isAtCursor(newer, at)) return true;
  for (const { from, to } of missing.values()) if (isAtCursor(from, at) || isAtCursor(to, at)) return true;
  return false;
}
