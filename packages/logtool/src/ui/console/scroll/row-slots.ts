import type { EntryId } from '../../worker/session/protocol.ts';

/**
 * Gives each drawn row a slot. A row keeps its slot while it is drawn; a new one takes over that of a row that is gone,
 * so that a fast log changes texts on the page instead of making and throwing away elements.
 */
export class RowSlots {
  #slots: ReadonlyMap<EntryId, number> = new Map();

  /** The slot of each entry; asking the same again gives the same. */
  assign(entries: readonly EntryId[]): ReadonlyMap<EntryId, number> {
    const next = new Map<EntryId, number>();
    const taken = new Set<number>();
    for (const entry of entries) {
      const slot = this.#slots.get(entry);
      if (slot === undefined) continue;
      next.set(entry, slot);
      taken.add(slot);
    }
    let free = 0;
    for (const entry of entries) {
      if (next.has(entry)) continue;
      while (taken.has(free)) free++;
      next.set(entry, free);
      taken.add(free);
    }
    this.#slots = next;
    return next;
  }
}
