import type { Arena, ArenaChunk } from './arena.ts';
import { type EntryTable, KIND } from './entry-table.ts';

/** Moves the rest of a chunk together, or releases it if nothing is left. */
export function compactChunk(arena: Arena, table: EntryTable, chunk: ArenaChunk): void {
  if (chunk.live === 0 && !holdsEmptyLines(table, chunk)) {
    arena.drop(chunk.number);
    return;
  }
  const held: number[] = [];
  let size = 0;
  for (let id = chunk.firstId; id <= chunk.lastId; id++) {
    if (table.kind(id) !== KIND.line || table.get('chunk', id) !== chunk.number) continue;
    held.push(id);
    size += table.get('length', id) + 1;
  }
  if (size >= chunk.bytes.length) return;
  const bytes = new Uint8Array(size);
  let used = 0;
  for (const id of held) {
    const offset = table.offset(id);
    const length = table.get('length', id) + 1;
    bytes.set(chunk.bytes.subarray(offset, offset + length), used);
    table.set('offset', id, used);
    used += length;
  }
  chunk.bytes = bytes;
  chunk.used = used;
}

function holdsEmptyLines(table: EntryTable, chunk: ArenaChunk): boolean {
  for (let id = chunk.firstId; id <= chunk.lastId; id++) {
    if (table.kind(id) === KIND.line && table.get('chunk', id) === chunk.number) return true;
  }
  return false;
}
