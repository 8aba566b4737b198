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
  | {
      readonly kind: 'head';
      readonly count: number;
      /**
       * Shows all lines after the last match that its context asks for, matches too, as `grep --max-count` does; by
       * default the records end before the next match, where the next page begins.
       */
      readonly wholeContext?: true;
    }
  | { readonly kind: 'tail'; readonly count: number }
  | { readonly kind: 'all' };

/** Selects records of the merged order. */
export interface Window {
  readonly selection: Selection;
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  /**
   * A duration given to --since, if it is in whole seconds: the server then counts back itself (sinceSeconds), as
   * kubectl requests it. Always together with `from`.
   */
  readonly sinceSeconds?: number | undefined;
  readonly follow: boolean;
  /** Which runs of a container: the current and the previous one, only the current, only the previous. */
  readonly previous: 'auto' | 'no' | 'only';
}

/** Whether the window asks for no records. Nothing read can then show whether more exist. */
export const asksForNone = ({ selection }: Pick<Window, 'selection'>) =>
  selection.kind !== 'all' && selection.count === 0;

/** Returns the time of a bound of any kind. */
export function boundTime(bound: Bound): Timestamp {
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

/** Whether a record lies before a window's beginning by its time only (a cursor's count further limits it). */
export function isBeforeFrom(at: Timestamp, from: Bound | undefined): boolean {
  if (from === undefined) return false;
  const order = compareTimestamps(at, boundTime(from));
  return from.kind === 'strict' ? order <= 0 : order < 0;
}

/** Whether a record lies after a window's end by its time only (some records at a cursor's time may lie before it). */
export function isAfterTo(at: Timestamp, to: Bound | undefined): boolean {
  if (to === undefined) return false;
  const order = compareTimestamps(at, boundTime(to));
  if (to.kind === 'strict' || (to.kind === 'cursor' && to.cursor.shown === 0)) return order >= 0;
  return order > 0;
}

/** Where logs come from: the log API of Kubernetes, or the agents of logtool where there are any. */
export const BACKEND_CHOICES = ['api', 'auto'] as const;
export type BackendChoice = (typeof BACKEND_CHOICES)[number];

/** What the API of logtool in a cluster is called. */
export const LOG_API = { group: 'logtool.dev', version: 'v1alpha1' } as const;

/** Files that a node rotated away: skip them, read them with the newest one, or read only them. */
export const ROTATED_CHOICES = ['no', 'auto', 'only'] as const;
export type RotatedChoice = (typeof ROTATED_CHOICES)[number];
