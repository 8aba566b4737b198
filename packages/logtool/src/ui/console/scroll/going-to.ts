import type { Anchor, EntryId, Row } from '../../worker/session/protocol.ts';
import type { Alignment } from './near-rows.ts';

interface Aim {
  readonly entry: EntryId;
  readonly alignment: Alignment;
  /** Of the question for it: an answer to an earlier one may be of rows that are shown no more. */
  readonly anchor: Anchor;
  readonly inOtherRows: boolean;
}

/** A row to show, which may have to be read first. */
export class GoingTo {
  #aim: Aim | undefined;

  begin(entry: EntryId, alignment: Alignment, inOtherRows: boolean): void {
    this.#aim = { entry, alignment, anchor: { at: 'entry', entry }, inOtherRows };
  }

  end(): void {
    this.#aim = undefined;
  }

  /** What to ask for, while there is somewhere to go to. */
  get anchor(): Anchor | undefined {
    return this.#aim?.anchor;
  }

  /** The row, once it is among those that are held: then it was gone to. `answered`: the question they came for. */
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
    // A row that the worker does not have any more is nowhere to go to.
    if (row !== undefined || isAnswer) this.end();
    return row === undefined ? undefined : { row, at, alignment: aim.alignment };
  }
}
