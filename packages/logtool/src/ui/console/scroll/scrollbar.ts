import type { Row } from '../../worker/protocol/protocol.ts';
import type { Extent, Placement, Position } from './row-positions.ts';

/** Browsers draw nothing beyond some height: Chromium 33.5 million pixels, Firefox 17.8 million. */
export const MAX_SPACER_PX = 15_000_000;

/** The scrollbar for what is shown. */
export interface Scrollbar {
  /** Height of all rows, as far as known. */
  readonly contentPx: number;
  /** Height of the scrolled content: the same, but limited to what a browser can draw. */
  readonly spacerPx: number;
  readonly scrollTopPx: number;
}

/** The scrollbar of a placement: exact near the ends of the log, in between by the row's index. */
export function scrollbarOf(rows: readonly Row[], placement: Placement, extent: Extent): Scrollbar {
  const fromStart = rows[0]?.index === 0 ? extent.headPx - (placement.topsPx[0] ?? 0) : undefined;
  const toEnd =
    rows.at(-1)?.index === extent.total - 1
      ? placement.bottomPx + extent.footPx - extent.viewportPx
      : undefined;
  const guess = extent.headPx + extent.total * extent.rowPx + extent.footPx;
  const contentPx =
    fromStart !== undefined && toEnd !== undefined
      ? Math.max(extent.viewportPx, fromStart + extent.viewportPx + toEnd)
      : extent.total === 0
        ? extent.viewportPx
        : Math.max(guess, extent.viewportPx + 2);
  const spacerPx = Math.min(contentPx, MAX_SPACER_PX);
  const rangePx = contentPx - extent.viewportPx;
  const { index, topPx } = placement.position;
  const between = extent.headPx + index * extent.rowPx - topPx;
  // A position inside must never look like an end, because scrolling on would be impossible.
  const insidePx = Math.min(Math.max(between, 1), rangePx - 1);
  const virtualPx = fromStart ?? (toEnd === undefined ? insidePx : rangePx - toEnd);
  const scale = rangePx <= 0 ? 0 : (spacerPx - extent.viewportPx) / rangePx;
  return { contentPx, spacerPx, scrollTopPx: Math.max(0, virtualPx * scale) };
}

/** The position that the scrollbar's thumb points at. */
export function positionAt(scrollTopPx: number, bar: Scrollbar, extent: Extent): Position {
  const trackPx = bar.spacerPx - extent.viewportPx;
  const share = trackPx <= 0 ? 0 : Math.min(Math.max(scrollTopPx / trackPx, 0), 1);
  if (share === 1) {
    const topPx = extent.viewportPx - extent.footPx - extent.rowPx;
    return { entry: undefined, index: Math.max(0, extent.total - 1), topPx };
  }
  const virtualPx = share * (bar.contentPx - extent.viewportPx) - extent.headPx;
  const index = Math.min(Math.max(Math.floor(virtualPx / extent.rowPx), 0), Math.max(0, extent.total - 1));
  return { entry: undefined, index, topPx: Math.round(index * extent.rowPx - virtualPx) };
}
