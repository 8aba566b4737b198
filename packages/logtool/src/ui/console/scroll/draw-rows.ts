import type { EntryId, Row } from '../../worker/protocol/protocol.ts';
import type { Extent, Placement } from './row-positions.ts';
import { resembles } from './row-window.ts';

/** A row ready to draw: its text, its position in its layer, and the row above it. */
export interface DrawnRow {
  readonly row: Row;
  /** Upper edge within the layer. */
  readonly yPx: number;
  /** The line above; comparing times shows which part of this line's time is new. */
  readonly above: Row | undefined;
}

export interface DrawnRows {
  readonly rows: readonly DrawnRow[];
  /** The layer's position in the view. */
  readonly layerPx: number;
  /** Where in the layer the space before the first row of the log begins; undefined if out of view. */
  readonly headPx: number | undefined;
  /** Where in the layer the free row after the last row of the log begins; undefined if out of view. */
  readonly footPx: number | undefined;
  readonly total: number;
  /** Number of rows that were not drawn before. */
  readonly fresh: number;
}

export const NOTHING_DRAWN: DrawnRows = {
  rows: [],
  layerPx: 0,
  headPx: undefined,
  footPx: undefined,
  total: 0,
  fresh: 0,
};

/** Rows to draw beyond the view. */
const BEYOND_ROWS = 3;
/** Positions within the layer stay while rows stay; they restart before they get too large for a browser. */
const MAX_OFFSET_PX = 1_000_000;

/**
 * Positions the rows in view in a layer. A row that was drawn before keeps its position in the layer, and the layer
 * moves instead: scrolling and following change one number rather than all rows. Returns the previous objects if
 * nothing in them changed.
 */
export function drawRows(
  rows: readonly Row[],
  placement: Placement,
  extent: Extent,
  before: DrawnRows,
): DrawnRows {
  const from = Math.max(0, placement.first - BEYOND_ROWS);
  const to = Math.min(rows.length - 1, placement.last + BEYOND_ROWS);
  const known = new Map(before.rows.map((drawn) => [drawn.row.entry, drawn]));
  const layerPx = findLayer(rows, placement, from, to, known);
  const drawn: DrawnRow[] = [];
  for (let at = from; at <= to; at++) {
    const row = rows[at];
    if (row === undefined) continue;
    const old = known.get(row.entry);
    const next: DrawnRow = {
      row,
      yPx: (placement.topsPx[at] ?? 0) - layerPx,
      above: rows[at - 1],
    };
    drawn.push(old !== undefined && isSame(old, next) ? old : next);
  }
  return {
    rows: areSame(drawn, before.rows) && extent.total === before.total ? before.rows : drawn,
    layerPx,
    headPx: from === 0 ? headOf(rows, placement, extent, layerPx) : undefined,
    footPx: rows[to]?.index === extent.total - 1 ? placement.bottomPx - layerPx : undefined,
    total: extent.total,
    fresh: drawn.filter(({ row }) => !known.has(row.entry)).length,
  };
}

function areSame(a: readonly DrawnRow[], b: readonly DrawnRow[]): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at]);
}

/** Where the space before the first row of the log begins, if that row is held. */
function headOf(
  rows: readonly Row[],
  placement: Placement,
  extent: Extent,
  layerPx: number,
): number | undefined {
  return rows[0]?.index === 0 ? (placement.topsPx[0] ?? 0) - extent.headPx - layerPx : undefined;
}

/** Whether nothing needs drawing again: at most the layer moved. */
export function isDrawnAlike(a: DrawnRows, b: DrawnRows): boolean {
  return a.rows === b.rows && a.headPx === b.headPx && a.footPx === b.footPx && a.total === b.total;
}

function findLayer(
  rows: readonly Row[],
  placement: Placement,
  from: number,
  to: number,
  known: ReadonlyMap<EntryId, DrawnRow>,
): number {
  for (let at = Math.max(from, placement.first); at <= to; at++) {
    const old = known.get(rows[at]?.entry ?? -1);
    if (old !== undefined && Math.abs(old.yPx) < MAX_OFFSET_PX) return (placement.topsPx[at] ?? 0) - old.yPx;
  }
  return placement.topsPx[from] ?? 0;
}

function isSame(a: DrawnRow, b: DrawnRow): boolean {
  return (
    a.yPx === b.yPx &&
    a.row.index === b.row.index &&
    (a.row === b.row || resembles(a.row, b.row)) &&
    a.above?.entry === b.above?.entry
  );
}
