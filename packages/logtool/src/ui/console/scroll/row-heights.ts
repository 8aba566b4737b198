import type { EntryId } from '../../worker/protocol/protocol.ts';
import type { Extent } from './row-positions.ts';

/** Beyond this, heights are forgotten: rows are measured again when they are drawn. */
const LIMIT_ROWS = 50_000;

/** Heights of rows, px: one height for all, except rows that wrap or have something open below. */
export class RowHeights {
  readonly #heights = new Map<EntryId, number>();
  #rowPx: number;
  #wraps = false;
  #averagePx: number;

  constructor(rowPx: number) {
    this.#rowPx = rowPx;
    this.#averagePx = rowPx;
  }

  get rowPx(): number {
    return this.#rowPx;
  }

  /** Whether rows may turn out higher than estimated, once drawn. */
  get wraps(): boolean {
    return this.#wraps;
  }

  /** The estimated height of a row that was not drawn yet. */
  get averagePx(): number {
    return this.#averagePx;
  }

  /** Adds space before the first row for the text at the beginning of the log, and one free row after the last one. */
  extent(viewportPx: number, total: number): Extent {
    return { viewportPx, rowPx: this.#averagePx, headPx: this.#rowPx, footPx: this.#rowPx, total };
  }

  of = (entry: EntryId): number => this.#heights.get(entry) ?? this.#rowPx;

  /** Sets the row height and wrapping. Returns false if nothing changes. */
  setLayout(rowPx: number, wraps: boolean): boolean {
    if (rowPx === this.#rowPx && wraps === this.#wraps) return false;
    this.#rowPx = rowPx;
    this.#averagePx = rowPx;
    this.#wraps = wraps;
    this.#heights.clear();
    return true;
  }

  /** Takes the heights that the browser drew. Returns true if some differ from the assumed ones. */
  measured(heights: ReadonlyMap<EntryId, number>): boolean {
    if (this.#heights.size > LIMIT_ROWS) this.#heights.clear();
    let changed = false;
    let sumPx = 0;
    for (const [entry, px] of heights) {
      sumPx += px;
      if (this.of(entry) === px) continue;
      if (px === this.#rowPx) this.#heights.delete(entry);
      else this.#heights.set(entry, px);
      changed = true;
    }
    // Changes slowly, because the scrollbar's length depends on it.
    if (this.#wraps && heights.size > 0)
      this.#averagePx = 0.8 * this.#averagePx + 0.2 * (sumPx / heights.size);
    return changed;
  }
}
