import type { EntryId, Row } from '../../worker/session/protocol.ts';
import type { RowHeights } from './row-heights.ts';
import type { Position } from './row-positions.ts';

/**
 * A row placed while the heights around it were guesses: rows that wrap are measured when they are drawn, and
 * until then the place applies, not the rows that happen to be in view.
 */
export class Settling {
  readonly #heights: RowHeights;
  #row: { readonly entry: EntryId; readonly topOf: (heightPx: number) => number } | undefined;

  constructor(heights: RowHeights) {
    this.#heights = heights;
  }

  /** `topOf`: the upper edge that belongs to a height of the row, px. Rows that do not wrap are no guesses. */
  begin(entry: EntryId, topOf: (heightPx: number) => number): void {
    this.#row = this.#heights.wraps ? { entry, topOf } : undefined;
  }

  end(): void {
    this.#row = undefined;
  }

  /** Rows were measured. `changed`: some are not as high as they were taken to be. */
  measured(heights: ReadonlyMap<EntryId, number>, changed: boolean): void {
    if (!changed && this.#row !== undefined && heights.has(this.#row.entry)) this.end();
  }

  /** Where the row belongs; undefined: nothing is settling, or the row is not among these. */
  position(rows: readonly Row[]): Position | undefined {
    const settling = this.#row;
    const row = settling && rows.find(({ entry }) => entry === settling.entry);
    if (settling === undefined || row === undefined) return undefined;
    return { entry: row.entry, index: row.index, topPx: settling.topOf(this.#heights.of(row.entry)) };
  }
}
