import type { EntryId, Row } from '../../worker/session/protocol.ts';
import type { Extent, Placement } from '../scroll/row-positions.ts';
import { resembles } from '../scroll/row-window.ts';

/** A row ready to draw: its text, its place in its layer, and the effect of its neighbors. */
export interface DrawnRow {
  readonly row: Row;
  /** Upper edge inside of the layer. */
  readonly yPx: number;
  /** The line above; its time says which part of this one's is new. */
  readonly above: Row | undefined;
  /** A line without a level that continues an error of the same container: a stack trace. */
  readonly inError: boolean;
}

export interface DrawnRows {
  readonly rows: readonly DrawnRow[];
  /** The layer's place in the view. */
  readonly layerPx: number;
  /** Where in the layer the space before the first row of the log begins; undefined when it is out of view. */
  readonly headPx: number | undefined;
  readonly total: number;
  /** Rows that were not drawn before. */
  readonly fresh: number;
}

export const NOTHING_DRAWN: DrawnRows = { rows: [], layerPx: 0, headPx: undefined, total: 0, fresh: 0 };

/** Rows beyond the view that are drawn too. */
const BEYOND_ROWS = 3;
/**
 * Places inside of the layer are kept while rows stay; they restart before they get too large for a browser.
 */
const MAX_OFFSET_PX = 1_000_000;

/**
 * The rows in view, placed in a layer. A row that was drawn before keeps its place in the layer, and the layer moves:
 * so scrolling and following change one number instead of all rows. The previous objects are returned if nothing of
 * them changed.
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
      inError: goesOnWithError(rows, at, old),
    };
    drawn.push(old !== undefined && isSame(old, next) ? old : next);
  }
  return {
    rows: areSame(drawn, before.rows) && extent.total === before.total ? before.rows : drawn,
    layerPx,
    headPx: from === 0 ? headOf(rows, placement, extent, layerPx) : undefined,
    total: extent.total,
    fresh: drawn.filter(({ row }) => !known.has(row.entry)).length,
  };
}

function areSame(a: readonly DrawnRow[], b: readonly DrawnRow[]): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at]);
}

/** Where the space before the first row of the log begins, when that row is held. */
function headOf(
  rows: readonly Row[],
  placement: Placement,
  extent: Extent,
  layerPx: number,
): number | undefined {
  return rows[0]?.index === 0 ? (placement.topsPx[0] ?? 0) - extent.headPx - layerPx : undefined;
}

/** Whether nothing must be drawn again: at most the layer moved. */
export function isDrawnAlike(a: DrawnRows, b: DrawnRows): boolean {
  return a.rows === b.rows && a.headPx === b.headPx && a.total === b.total;
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
    a.inError === b.inError &&
    a.row.index === b.row.index &&
    (a.row === b.row || resembles(a.row, b.row)) &&
    a.above?.entry === b.above?.entry
  );
}

const GRAVE: ReadonlySet<string | undefined> = new Set(['error', 'fatal']);
const MAX_ROWS_BACK = 60;
/** The lines of a stack trace are written at once: what comes later is another message. */
const TRACE_MS = 3;

type Line = Extract<Row, { readonly kind: 'line' }>;

function msBetween(a: Line, b: Line): number {
  return (b.seconds - a.seconds) * 1_000 + (b.nanos - a.nanos) / 1e6;
}

function goesOnWithError(rows: readonly Row[], at: number, old: DrawnRow | undefined): boolean {
  const row = rows[at];
  if (row?.kind !== 'line' || row.level !== undefined) return false;
  let below: Line = row;
  for (let back = at - 1; back >= 0 && back >= at - MAX_ROWS_BACK; back--) {
    const above = rows[back];
    if (above?.kind !== 'line' || above.source !== row.source || msBetween(above, below) > TRACE_MS)
      return false;
    below = above;
    if (above.level !== undefined) return GRAVE.has(above.level);
  }
  // Its beginning is no longer loaded: keep what was drawn.
  return old?.inError ?? false;
}
