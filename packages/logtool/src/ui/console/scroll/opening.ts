import type { Anchor } from '../../worker/protocol/protocol.ts';
import { type Extent, endPosition, type Position } from './row-positions.ts';

type Ends = Extract<Anchor, { readonly at: 'start' | 'end' }>;

/**
 * The position of an opening view: at one of its ends, whatever arrives, until everything it opens with has arrived or
 * a user scrolls.
 */
export class Opening {
  #anchor: Ends | undefined;
  #isLast = false;

  /** What to ask for; undefined: the view is open. */
  get anchor(): Ends | undefined {
    return this.#anchor;
  }

  begin(at: Ends['at']): void {
    this.#anchor = { at };
    this.#isLast = false;
  }

  /** Notes that everything has arrived: the next query is the last one of the opening. */
  finish(): void {
    if (this.#anchor !== undefined) this.#anchor = { ...this.#anchor };
    this.#isLast = true;
  }

  end(): void {
    this.#anchor = undefined;
  }

  /**
   * Where an answer to the query with that anchor puts the view; undefined: the answer does not belong to the opening.
   */
  take(asked: Anchor, extent: Extent, lastRowPx: number): Position | undefined {
    if (this.#anchor === undefined || asked !== this.#anchor) return undefined;
    const position: Position =
      asked.at === 'end'
        ? endPosition(extent, lastRowPx)
        : { entry: undefined, index: 0, topPx: extent.headPx };
    if (this.#isLast && extent.total > 0) this.end();
    return position;
  }
}
