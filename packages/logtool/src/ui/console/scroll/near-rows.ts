import type { Anchor, Row } from '../../worker/protocol/protocol.ts';
import type { Extent, Placement, Position } from './row-positions.ts';
import type { RowQuestion } from './row-questions.ts';

/** Where in the view to show a row; `nearest`: moved as little as possible. */
export type Alignment = 'top' | 'middle' | 'nearest' | { readonly topPx: number };

/** Whether rows near the view are not loaded yet. */
export function lacksRows(rows: readonly Row[], placement: Placement, extent: Extent): boolean {
  if (extent.total === 0) return false;
  if (rows.length === 0) return true;
  const marginPx = extent.viewportPx / 2;
  const above = rows[0]?.index !== 0 && (placement.topsPx[0] ?? 0) > -marginPx;
  const below = rows.at(-1)?.index !== extent.total - 1 && placement.bottomPx < extent.viewportPx + marginPx;
  return above || below;
}

/** Returns the anchor to request from the worker in order to see the rows around a position. */
export function anchorOf(position: Position, placement: Placement | undefined, extent: Extent): Anchor {
  const { entry, index, topPx } = position;
  // Scrolled beyond the held rows: only the index of the row there is known.
  const isBeyond = placement !== undefined && placement.first > placement.last;
  if (entry !== undefined && !isBeyond) return { at: 'entry', entry };
  const there = index - Math.round(topPx / extent.rowPx);
  return { at: 'index', index: Math.min(Math.max(there, 0), Math.max(0, extent.total - 1)) };
}

/** The upper edge that shows a row of that height at a position. `nowPx`: its current edge, if it is held. */
export function topOf(
  alignment: Alignment,
  nowPx: number | undefined,
  heightPx: number,
  extent: Extent,
): number {
  const middlePx = Math.max(0, Math.round((extent.viewportPx - heightPx) / 2));
  if (typeof alignment === 'object') return alignment.topPx;
  if (alignment === 'top') return extent.headPx;
  if (alignment === 'middle' || nowPx === undefined) return middlePx;
  const lowestPx = Math.max(0, extent.viewportPx - heightPx - extent.footPx);
  return Math.min(Math.max(nowPx, 0), lowestPx);
}

/** Which rows to request around an anchor: those in view, and enough beyond to scroll on while more are requested. */
export function questionOf(anchor: Anchor, viewportPx: number, rowPx: number): RowQuestion {
  const inView = Math.ceil(viewportPx / rowPx) + 1;
  return anchor.at === 'end'
    ? { anchor, above: 2 * inView, below: 1 }
    : { anchor, above: Math.ceil(1.5 * inView), below: Math.ceil(2.5 * inView) };
}

/** The position among the rows of an answer to the query with that anchor. */
export function positionIn(
  rows: readonly Row[],
  { entry, index, topPx }: Position,
  anchor: Anchor,
  anchorIndex: number,
): Position {
  const at = rows.find((row) => row.entry === entry);
  if (at !== undefined) return { entry, index: at.index, topPx };
  if (anchor.at !== 'entry' || anchor.entry !== entry) return { entry: undefined, index, topPx };
  // That row is no longer shown: the row at its index replaces it.
  const other = rows.find((row) => row.index === anchorIndex);
  return { entry: other?.entry, index: anchorIndex, topPx };
}

/** The rows that are completely in view; all rows in view if each is cut off. */
export function wholeIn(
  inView: readonly Row[],
  { topsPx, first }: Placement,
  viewportPx: number,
  heightOf: (entry: Row['entry']) => number,
): readonly Row[] {
  const whole = inView.filter(({ entry }, at) => {
    const topPx = topsPx[first + at] ?? 0;
    return topPx >= 0 && topPx + heightOf(entry) <= viewportPx;
  });
  return whole.length > 0 ? whole : inView;
}
