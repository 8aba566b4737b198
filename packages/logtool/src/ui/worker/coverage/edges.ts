import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import { isAfter, isBefore, isInside, type MissingRange } from './missing.ts';

/**
 * Where the held part ends. `older`: `beginning` if there is nothing before it, else what is before. `newer`:
 * `now` if it continues with arriving lines (or everything is loaded), else what is after.
 */
export interface Edges {
  older: 'unknown' | 'beginning' | WireBound;
  newer: 'now' | WireBound;
}

/** What becomes of a line that arrives. */
export type Fate = 'held' | 'before' | 'after' | MissingRange;

/** Only lines in the held part are kept; others come when their place is loaded. */
export function fateOf(edges: Edges, missing: ReadonlyMap<number, MissingRange>, at: Timestamp): Fate {
  const { older, newer } = edges;
  if (typeof newer !== 'string' && isAfter(newer, at)) return 'after';
  if (typeof older !== 'string' && isBefore(older, at)) return 'before';
  for (const range of missing.values()) if (isInside(range, at)) return range;
  return 'held';
}
