import type { EntryId } from '../protocol/protocol.ts';
import { type EntryTable, KIND } from './entry-table.ts';
import type { LineStore } from './line-store.ts';
import type { OrderChunk } from './order.ts';
import type { RecordGroups } from './record-groups.ts';

/** Consecutive equal lines in a chunk, by offset plus one; 0: none. */
interface ChunkEquals {
  readonly version: number;
  readonly regrouped: number;
  readonly generation: number;
  readonly length: number;
  /** The first equal line, for each line but the first itself. */
  readonly first: Uint16Array;
  readonly next: Uint16Array;
}

/**
 * Finds which lines of a container (and run) equal the previous one, byte by byte. Lines of other containers and facts
 * may be in between; missing lines or a marker of the container separate them. Works chunk by chunk: a longer sequence
 * becomes several, and each counts its own lines. Lines of a record of several lines are excluded.
 */
export class EqualLines {
  readonly #store: LineStore;
  readonly #groups: RecordGroups;
  #chunks = new WeakMap<OrderChunk, ChunkEquals>();

  constructor(store: LineStore, groups: RecordGroups) {
    this.#store = store;
    this.#groups = groups;
  }

  /** The first of the equal lines around an offset; undefined: the line is the first, or has no equals. */
  firstOf(chunk: OrderChunk, offset: number, generation: number): EntryId | undefined {
    const first = this.#of(chunk, generation).first[offset] ?? 0;
    return first === 0 ? undefined : chunk.ids[first - 1];
  }

  /** The equal lines that begin at an offset. */
  from(chunk: OrderChunk, offset: number, generation: number): readonly EntryId[] {
    const { next } = this.#of(chunk, generation);
    const ids: EntryId[] = [];
    for (let at = offset + 1; at !== 0; at = next[at - 1] ?? 0) ids.push(chunk.ids[at - 1] as number);
    return ids;
  }

  #of(chunk: OrderChunk, generation: number): ChunkEquals {
    const known = this.#chunks.get(chunk);
    const { version, regrouped, length } = chunk;
    const isKnown =
      known?.version === version &&
      known.regrouped === regrouped &&
      known.length === length &&
      known.generation === generation;
    if (isKnown) return known;
    const made = { version, regrouped, generation, length, ...this.#find(chunk) };
    this.#chunks.set(chunk, made);
    return made;
  }

  #find({ ids, length }: OrderChunk): Pick<ChunkEquals, 'first' | 'next'> {
    const { table, markers } = this.#store;
    const [first, next] = [new Uint16Array(length), new Uint16Array(length)];
    /** The last line of each source. */
    const last = new Map<number, number>();
    for (let offset = 0; offset < length; offset++) {
      const id = ids[offset] as number;
      const source = table.source(id);
      if (table.kind(id) === KIND.fact) continue;
      if (table.kind(id) !== KIND.line) {
        if (markers.get(id)?.source === undefined) last.clear();
        else last.delete(source);
        continue;
      }
      if (!this.#isSingle(id)) {
        last.delete(source);
        continue;
      }
      const before = last.get(source);
      last.set(source, offset);
      if (before === undefined || !this.#isEqual(ids[before] as number, id)) continue;
      next[before] = offset + 1;
      first[offset] = first[before] || before + 1;
    }
    return { first, next };
  }

  #isSingle(id: EntryId): boolean {
    const { table } = this.#store;
    return !this.#groups.isOn || (table.get('head', id) === 0 && table.get('next', id) === 0);
  }

  #isEqual(a: EntryId, b: EntryId): boolean {
    const { table, arena } = this.#store;
    if (table.get('length', a) !== table.get('length', b) || table.flags(a) !== table.flags(b)) return false;
    return areEqual(textOf(table, arena, a), textOf(table, arena, b));
  }
}

function textOf(table: EntryTable, arena: LineStore['arena'], id: EntryId): Uint8Array {
  return arena.view(table.get('chunk', id), table.offset(id), table.get('length', id));
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, at) => byte === b[at]);
}
