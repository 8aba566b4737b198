import type { EntryId, Row, RowEqual, RowRecord } from '../../worker/protocol/protocol.ts';

/** Consecutive rows, as the worker last sent them. */
export interface RowWindow {
  readonly version: number;
  readonly total: number;
  readonly rows: readonly Row[];
}

export const NO_ROWS: RowWindow = { version: -1, total: 0, rows: [] };

/** Returns the same window with the previous objects for unchanged rows: parts memoized by row stay valid. */
export function keepRows(next: RowWindow, before: RowWindow): RowWindow {
  const known = new Map<EntryId, Row>(before.rows.map((row) => [row.entry, row]));
  const rows = next.rows.map((row) => {
    const old = known.get(row.entry);
    return old !== undefined && resembles(old, row) ? withIndex(old, row.index) : row;
  });
  return { ...next, rows };
}

function withIndex(row: Row, index: number): Row {
  return row.index === index ? row : { ...row, index };
}

/** Whether two states of one row are drawn the same; the index is not drawn. */
export function resembles(a: Row, b: Row): boolean {
  if (a.entry !== b.entry) return false;
  if (a.kind === 'line' && b.kind === 'line') {
    return (
      a.source === b.source &&
      a.level === b.level &&
      sameHits(a.hits, b.hits) &&
      sameRecord(a.record, b.record) &&
      sameEqual(a.equal, b.equal)
    );
  }
  if (a.kind === 'missing' && b.kind === 'missing') return a.lines === b.lines && a.state === b.state;
  if (a.kind === 'fact' && b.kind === 'fact') return a.revision === b.revision && a.source === b.source;
  return a.kind === 'marker' && b.kind === 'marker' && a.text === b.text && a.isWarning === b.isWarning;
}

function sameRecord(a: RowRecord | undefined, b: RowRecord | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const { head, line, isFolded, lines, foldedHits } = a;
  const isSame = head === b.head && line === b.line && isFolded === b.isFolded;
  return isSame && a.level === b.level && lines === b.lines && foldedHits === b.foldedHits;
}

function sameEqual(a: RowEqual | undefined, b: RowEqual | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const isSame = a.first === b.first && a.line === b.line && a.isFolded === b.isFolded;
  return isSame && a.lines === b.lines && a.ms === b.ms;
}

type Hits = readonly (readonly [number, number])[];

function sameHits(a: Hits, b: Hits): boolean {
  return a.length === b.length && a.every(([start, end], at) => start === b[at]?.[0] && end === b[at]?.[1]);
}
