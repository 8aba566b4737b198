import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Cursor } from './cursor.ts';

/**
 * Where a window begins. `inclusive`: at and after the point; `strict`: after it; `cursor`: from a position.
 */
export type Bound =
  | { readonly kind: 'inclusive'; readonly at: Timestamp }
  | { readonly kind: 'strict'; readonly at: Timestamp }
  | { readonly kind: 'cursor'; readonly cursor: Cursor };

export type Selection =
  | { readonly kind: 'head'; readonly count: number }
  | { readonly kind: 'tail'; readonly count: number }
  | { readonly kind: 'all' };

/** Which records of the merged order are wanted. */
export interface Window {
  readonly selection: Selection;
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  /**
   * A duration given to --since, in whole seconds where it is one: the server then counts back itself
   * (sinceSeconds), which is what kubectl asks for. Always together with `from`.
   */
  readonly sinceSeconds?: number | undefined;
  readonly follow: boolean;
  /** Which runs of a container: the present and the one before it, only the present, only the one before. */
  readonly previous: 'auto' | 'no' | 'only';
}

/** Nothing was read that could show whether there is more. */
export const asksForNone = ({ selection }: Pick<Window, 'selection'>) =>
  selection.kind !== 'all' && selection.count === 0;

/** The time of a bound, whatever its kind. */
export function boundTime(bound: Bound): Timestamp {
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

/** Whether a record lies before a window's beginning only by its time (a cursor's count comes on top). */
export function isBeforeFrom(at: Timestamp, from: Bound | undefined): boolean {
  if (from === undefined) return false;
  const order = compareTimestamps(at, boundTime(from));
  return from.kind === 'strict' ? order <= 0 : order < 0;
}

/**
 * Whether a record lies after a window's end only by its time (of a cursor's time, some may lie before it).
 */
export function isAfterTo(at: Timestamp, to: Bound | undefined): boolean {
  if (to === undefined) return false;
  const order = compareTimestamps(at, boundTime(to));
  if (to.kind === 'strict' || (to.kind === 'cursor' && to.cursor.shown === 0)) return order >= 0;
  return order > 0;
}
