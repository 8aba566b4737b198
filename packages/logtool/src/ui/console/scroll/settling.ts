import type { EntryId, Row } from '../../worker/protocol/protocol.ts';
import type { RowHeights } from './row-heights.ts';
import type { Position } from './row-positions.ts';

/**
 * A row positioned while the heights around it were estimates: rows that wrap are measured when they are drawn, and
 * until then the target position applies, not the rows that happen to be in view.
 */
export class Settling {
  readonly #heights: RowHeights;
  #row: { readonly entry: EntryId; readonly topOf: (heightPx: number) => number } | undefined;

  constructor(heights: RowHeights) {
    this.#heights = heights;
  }

  /** `topOf`: returns the upper edge for a height of the row, px. Rows that do not wrap need no estimates. */
  begin(entry: EntryId, topOf: (heightPx: number) => number): void {
    this.#row = this.#heights.wraps ? { entry, topOf } : undefined;
  }

  end(): void {
    this.#row = undefined;
  }

  /** Takes measured rows. `changed`: some heights differ from the assumed ones. */
  measured(heights: ReadonlyMap<EntryId, number>, changed: boolean): void {
    if (!changed && this.#row !== undefined && heights.has(this.#row.entry)) this.end();
  }

  /** The row's position; undefined: nothing is settling, or the row is not among these. */
  position(rows: readonly Row[]): Position | undefined {
    const settling = this.#row;
    const row = settling && rows.find(({ entry }) => entry === settling.entry);
    if (settling === undefined || row === undefined) return undefined;
    return { entry: row.entry, index: row.index, topPx: settling.topOf(this.#heights.of(row.entry)) };
  }
}
