import type { EntryId, Row } from '../../worker/protocol/protocol.ts';

/** The reader's position: one row, and the distance of its upper edge from that of the viewport. */
export interface Position {
  /** Undefined: a position pointed at on the scrollbar; its row becomes known once it is read. */
  readonly entry: EntryId | undefined;
  readonly index: number;
  readonly topPx: number;
}

/** The measures of the log. */
export interface Extent {
  readonly viewportPx: number;
  /** Height of a row that was not measured. */
  readonly rowPx: number;
  /** Space before the first row (`Beginning of logs`) and after the last one. */
  readonly headPx: number;
  readonly footPx: number;
  /** Total number of rows. */
  readonly total: number;
}

export interface Placement {
  /** Upper edge of each row, relative to that of the viewport. */
  readonly topsPx: readonly number[];
  /** Rows that are at least partly in view, as indexes in the window; none: first > last. */
  readonly first: number;
  readonly last: number;
  /** The same position, relative to the first row in view that stays. */
  readonly position: Position;
  /** Lower edge of the last row of the window. */
  readonly bottomPx: number;
}

/** The position that puts the last row at the lower end of the viewport. */
export function endPosition(extent: Extent, lastRowPx: number): Position {
  return {
    entry: undefined,
    index: extent.total - 1,
    topPx: extent.viewportPx - extent.footPx - lastRowPx,
  };
}

/**
 * Lays out the rows of a window around a position. The anchor's row stays where the position puts it, unless that would
 * leave empty space before the first or after the last row of the log: then all rows move as little as needed.
 */
export function layOutRows(
  rows: readonly Row[],
  position: Position,
  extent: Extent,
  heightOf: (entry: EntryId) => number,
): Placement {
  const topsPx = new Array<number>(rows.length);
  const firstIndex = rows[0]?.index ?? 0;
  let anchor = position.entry === undefined ? -1 : rows.findIndex(({ entry }) => entry === position.entry);
  let topPx = position.topPx;
  if (anchor === -1) {
    anchor = Math.min(Math.max(position.index - firstIndex, 0), rows.length - 1);
    topPx += (firstIndex + anchor - position.index) * extent.rowPx;
  }
  for (let at = anchor, top = topPx; at < rows.length; at++) {
    topsPx[at] = top;
    top += heightOf(rows[at]?.entry ?? 0);
  }
  for (let at = anchor - 1, top = topPx; at >= 0; at--) {
    top -= heightOf(rows[at]?.entry ?? 0);
    topsPx[at] = top;
  }
  const lastRow = rows.at(-1);
  let bottomPx = lastRow === undefined ? 0 : (topsPx[rows.length - 1] ?? 0) + heightOf(lastRow.entry);
  const shift = edgeShift(rows, topsPx[0] ?? 0, bottomPx, extent);
  if (shift !== 0) {
    for (let at = 0; at < topsPx.length; at++) topsPx[at] = (topsPx[at] ?? 0) + shift;
    bottomPx += shift;
  }
  return {
    topsPx,
    bottomPx,
    ...inView(rows, topsPx, bottomPx, extent, { ...position, topPx: position.topPx + shift }),
  };
}

/** The first row that is completely in view, and its position; if rows are higher than the view, the last one. */
export function firstWhole(
  rows: readonly Row[],
  placement: Placement | undefined,
): { readonly entry: EntryId; readonly topPx: number } | undefined {
  const { topsPx, first, last } = placement ?? { topsPx: [], first: 0, last: -1 };
  for (let at = first; at <= last; at++) {
    const entry = rows[at]?.entry;
    const topPx = topsPx[at] ?? 0;
    if (entry !== undefined && (topPx >= 0 || at === last)) return { entry, topPx };
  }
  return undefined;
}

/** How far all rows must move to leave no empty space at the ends of the log; the beginning takes precedence. */
function edgeShift(rows: readonly Row[], topPx: number, bottomPx: number, extent: Extent): number {
  let shift = 0;
  if (rows.at(-1)?.index === extent.total - 1) {
    shift = Math.max(0, extent.viewportPx - extent.footPx - bottomPx);
  }
  if (rows[0]?.index === 0) shift = Math.min(shift, extent.headPx - topPx);
  return shift;
}

function inView(
  rows: readonly Row[],
  topsPx: readonly number[],
  bottomPx: number,
  extent: Extent,
  fallback: Position,
): Pick<Placement, 'first' | 'last' | 'position'> {
  let first = 0;
  while (first < rows.length && (topsPx[first + 1] ?? bottomPx) <= 0) first++;
  let last = rows.length - 1;
  while (last >= 0 && (topsPx[last] ?? 0) >= extent.viewportPx) last--;
  const row = rows[first];
  if (row === undefined || first > last) return { first: 0, last: -1, position: fallback };
  // A missing range disappears when its lines arrive: the next row stays.
  const next = row.kind === 'missing' && first < last ? first + 1 : first;
  const { entry, index } = rows[next] ?? row;
  return { first, last, position: { entry, index, topPx: topsPx[next] ?? 0 } };
}
