import type { EntryId } from '../../worker/protocol/protocol.ts';

/**
 * Gives each drawn row a slot. A row keeps its slot while it is drawn; a new row takes over the slot of a removed one,
 * so that a fast log changes texts on the page instead of creating and discarding elements.
 */
export class RowSlots {
  #slots: ReadonlyMap<EntryId, number> = new Map();

  /** Returns the slot of each entry; the same entries give the same result. */
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
