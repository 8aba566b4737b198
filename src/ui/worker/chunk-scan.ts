import { type ArenaChunk, decodeBytes } from './arena.ts';
import { ENTRY_FLAGS, KIND, VERDICT } from './entry-table.ts';
import type { LineMatcher, Needle } from './line-matcher.ts';
import type { LineStore } from './line-store.ts';

/** Lines looked at one by one between two looks at the clock. */
const PART = 64;
const encoder = new TextEncoder();

/**
 * Looks at all lines of a chunk of bytes. What can be said of whole chunks (a text is there or not) is found in all of
 * its bytes at once; only lines that are left are looked at one by one. Yields where it may be interrupted.
 */
export function* scanChunk(
  store: LineStore,
  chunk: ArenaChunk,
  matcher: LineMatcher,
  column: 'searched' | 'fielded',
): Generator<void, void, undefined> {
  const { table } = store;
  const ids: number[] = [];
  const offsets: number[] = [];
  for (let id = chunk.firstId; id <= chunk.lastId; id++) {
    if (table.kind(id) !== KIND.line || table.get('chunk', id) !== chunk.number) continue;
    ids.push(id);
    offsets.push(table.offset(id));
  }
  if (ids.length === 0) return;
  const state = new Uint8Array(ids.length);
  const needs = usable(matcher, chunk);
  if (needs.length + matcher.refuses.length > 0) {
    const bytes = decodeBytes(chunk.bytes.subarray(0, chunk.used));
    yield;
    const isLower = [...needs, ...matcher.refuses].some((needle) => needle.ignoreCase);
    const lower = isLower ? bytes.toLowerCase() : bytes;
    const find = (needle: Needle, from: number, to: number) => {
      const haystack = needle.ignoreCase ? lower : bytes;
      eachLineWith(haystack, bytesOf(needle), offsets, (line) => {
        if (state[line] === from) state[line] = to;
      });
    };
    needs.forEach((needle, index) => {
      find(needle, index, index + 1);
    });
    for (const needle of matcher.refuses) find(needle, needs.length, REFUSED);
  }
  for (let line = 0; line < ids.length; line++) {
    const id = ids[line] as number;
    const flags = table.flags(id);
    const hasEscapes = (flags & ENTRY_FLAGS.escapes) !== 0;
    let isHit = state[line] === needs.length && matcher.levels?.(table.level(id)) !== false;
    // In a line with colours the bytes say nothing: a word may be cut by them.
    if ((isHit && matcher.mustConfirm) || hasEscapes) {
      isHit = matcher.matches({ text: store.text(id), level: table.level(id), flags });
      if (line % PART === 0) yield;
    }
    table.set(column, id, isHit ? VERDICT.hit : VERDICT.miss);
  }
}

const REFUSED = 255;

/** Where bytes are beyond ASCII, letters of either case may be more than the engine of bytes knows. */
function usable(matcher: LineMatcher, chunk: ArenaChunk): readonly Needle[] {
  return matcher.mustConfirm && !chunk.isAscii
    ? matcher.needs.filter((needle) => !needle.ignoreCase)
    : matcher.needs;
}

/** The needle as the bytes of a chunk are decoded. */
function bytesOf(needle: Needle): string {
  return decodeBytes(encoder.encode(needle.text));
}

/** Calls back with each line that has the needle, by its place in `offsets`. */
function eachLineWith(
  haystack: string,
  needle: string,
  offsets: readonly number[],
  found: (line: number) => void,
): void {
  let line = 0;
  for (let at = haystack.indexOf(needle, offsets[0]); at !== -1; ) {
    while (line + 1 < offsets.length && (offsets[line + 1] as number) <= at) line++;
    if (isWithin(haystack, offsets[line] as number, at)) found(line);
    const next = offsets[line + 1];
    if (next === undefined) {
      at = -1;
      continue;
    }
    at = haystack.indexOf(needle, Math.max(at + 1, next));
  }
}

/** Lines that are gone may lie between two held ones: the newline tells where a line ends. */
function isWithin(haystack: string, start: number, at: number): boolean {
  const end = haystack.indexOf('\n', start);
  return end === -1 || at < end;
}
