import type { Anchor, EntryId, Row } from '../../worker/protocol/protocol.ts';
import type { Alignment } from './near-rows.ts';

interface Aim {
  readonly entry: EntryId;
  readonly alignment: Alignment;
  /** The anchor of its own query: an answer to an earlier query may contain rows that are no longer shown. */
  readonly anchor: Anchor;
  readonly inOtherRows: boolean;
}

/** A row to show, which may have to be loaded first. */
export class GoingTo {
  #aim: Aim | undefined;

  begin(entry: EntryId, alignment: Alignment, inOtherRows: boolean): void {
    this.#aim = { entry, alignment, anchor: { at: 'entry', entry }, inOtherRows };
  }

  end(): void {
    this.#aim = undefined;
  }

  /** What to ask for while there is a target. */
  get anchor(): Anchor | undefined {
    return this.#aim?.anchor;
  }

  /** Returns the target row once it is held, and ends the target. `answered`: the query that delivered the rows. */
  arrive(
    rows: readonly Row[],
    answered?: Anchor,
  ): { readonly row: Row; readonly at: number; readonly alignment: Alignment } | undefined {
    const aim = this.#aim;
    if (aim === undefined) return undefined;
    const isAnswer = answered === aim.anchor;
    if (aim.inOtherRows && !isAnswer) return undefined;
    const at = rows.findIndex(({ entry }) => entry === aim.entry);
    const row = rows[at];
    // The worker no longer has the row, so the target ends.
    if (row !== undefined || isAnswer) this.end();
    return row === undefined ? undefined : { row, at, alignment: aim.alignment };
  }
}
