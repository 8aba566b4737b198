import type { JudgedLine, LineMatcher, Needle } from '../../../domain/search/line-matcher.ts';
import { NeedleSearch } from '../../../domain/search/needle-search.ts';
import type { ArenaChunk } from '../store/arena.ts';
import { BLOCK, ENTRY_FLAGS, type EntryTable, KIND, VERDICT } from '../store/entry-table.ts';
import type { LineStore } from '../store/line-store.ts';

/** How many lines are examined one by one between two clock checks. */
const PREFILTER = 64;
/** State of a line that contains something it must not contain. */
const REFUSED = 255;

type Column = 'searched' | 'fielded';

/** Needles prepared once for all chunks. */
export class ChunkScan {
  readonly #store: LineStore;
  readonly #matcher: LineMatcher;
  readonly #column: Column;
  readonly #needs: readonly (Needle & { readonly search: NeedleSearch })[];
  readonly #refuses: readonly NeedleSearch[];

  constructor(store: LineStore, matcher: LineMatcher, column: Column) {
    this.#store = store;
    this.#matcher = matcher;
    this.#column = column;
    this.#needs = matcher.needs.map((needle) => ({ ...needle, search: new NeedleSearch(needle) }));
    this.#refuses = matcher.refuses.map((needle) => new NeedleSearch(needle));
  }

  /**
   * Examines all lines of a chunk. Conditions that a whole chunk can answer (whether a text occurs) are evaluated on
   * all of its bytes at once; only the remaining lines are examined one by one. Yields where it may be interrupted.
   */
  *scan(chunk: ArenaChunk): Generator<void, void, undefined> {
    const { table } = this.#store;
    const lines = linesOf(table, chunk);
    if (lines.count === 0) return;
    const needs = this.#usable(chunk);
    const state = new Uint8Array(lines.count);
    needs.forEach((search, index) => {
      eachLineWith(chunk, search, lines, (line) => {
        if (state[line] === index) state[line] = index + 1;
      });
    });
    for (const search of this.#refuses) {
      eachLineWith(chunk, search, lines, (line) => {
        state[line] = REFUSED;
      });
    }
    if (this.#matcher.mustConfirm || chunk.hasEscapes) yield* this.#confirm(lines, state, needs.length);
    else this.#decide(lines, state, needs.length);
  }

  /** Decides lines by their bytes only. */
  #decide({ ids, count }: Lines, state: Uint8Array, wanted: number): void {
    const { levels } = this.#matcher;
    const { table } = this.#store;
    let block = table.block(ids[0] as number);
    let base = Number.NEGATIVE_INFINITY;
    for (let line = 0; line < count; line++) {
      const id = ids[line] as number;
      if (id - base >= BLOCK) {
        base = Math.floor(id / BLOCK) * BLOCK;
        block = table.block(id);
      }
      if (block === undefined) continue;
      const isHit = state[line] === wanted && levels?.(block.level[id - base] as number) !== false;
      const missed = state[line] === REFUSED ? VERDICT.refused : VERDICT.miss;
      block[this.#column][id - base] = isHit ? VERDICT.hit : missed;
    }
  }

  /** Confirms lines by their text: color codes may split a word, so the bytes of such lines decide nothing. */
  *#confirm({ ids, count }: Lines, state: Uint8Array, wanted: number): Generator<void, void, undefined> {
    const { table } = this.#store;
    const { levels } = this.#matcher;
    for (let line = 0; line < count; line++) {
      const id = ids[line] as number;
      // The line may be evicted by now.
      if (table.kind(id) !== KIND.line) continue;
      const isHit = state[line] === wanted && levels?.(table.level(id)) !== false;
      const missed = state[line] === REFUSED ? VERDICT.refused : VERDICT.miss;
      let verdict: number = isHit ? VERDICT.hit : missed;
      if (this.#isOpen(id, isHit)) {
        verdict = this.#verdict(id);
        if (line % PREFILTER === 0) yield;
      }
      if (table.kind(id) === KIND.line) table.set(this.#column, id, verdict);
    }
  }

  /** Whether the text of a line decides, regardless of its bytes. */
  #isOpen(id: number, isHit: boolean): boolean {
    const isKnown = !isHit && this.#matcher.excludes === undefined;
    return (
      (!isKnown && this.#matcher.mustConfirm) || (this.#store.table.flags(id) & ENTRY_FLAGS.escapes) !== 0
    );
  }

  #verdict(id: number): number {
    const { table } = this.#store;
    return verdictOf(this.#matcher, {
      text: this.#store.text(id),
      level: table.level(id),
      flags: table.flags(id),
    });
  }

  /** The needles usable in a chunk: beyond ASCII, the byte search does not know all case variants of letters. */
  #usable(chunk: ArenaChunk): readonly NeedleSearch[] {
    const areAll = !this.#matcher.mustConfirm || chunk.isAscii;
    return this.#needs.filter(({ ignoreCase }) => areAll || !ignoreCase).map(({ search }) => search);
  }
}

/** Returns the VERDICT of a line. */
export function verdictOf(matcher: LineMatcher, line: JudgedLine): number {
  if (matcher.matches(line)) return VERDICT.hit;
  return matcher.excludes?.(line) === true ? VERDICT.refused : VERDICT.miss;
}

/** Held lines of a chunk, in the order of their bytes. */
interface Lines {
  readonly count: number;
  readonly ids: Float64Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function linesOf(table: EntryTable, { firstId, lastId, number }: ArenaChunk): Lines {
  const most = lastId - firstId + 1;
  const ids = new Float64Array(most);
  const starts = new Uint32Array(most);
  const ends = new Uint32Array(most);
  let count = 0;
  for (let base = Math.floor(firstId / BLOCK) * BLOCK; base <= lastId; base += BLOCK) {
    const block = table.block(base);
    if (block === undefined) continue;
    const { kind, chunk, offset, length } = block;
    const to = Math.min(lastId - base, BLOCK - 1);
    for (let at = Math.max(0, firstId - base); at <= to; at++) {
      if (kind[at] !== KIND.line || chunk[at] !== number) continue;
      const start = offset[at] as number;
      ids[count] = base + at;
      starts[count] = start;
      ends[count] = start + (length[at] as number);
      count++;
    }
  }
  return { count, ids, starts, ends };
}

/** Calls back with each line that contains the needle. Evicted lines may lie between two held ones. */
function eachLineWith(
  { bytes, used }: ArenaChunk,
  search: NeedleSearch,
  { count, starts, ends }: Lines,
  found: (line: number) => void,
): void {
  let line = 0;
  let at = search.indexIn(bytes, starts[0] as number, used);
  while (at !== -1) {
    while (line < count && (ends[line] as number) <= at) line++;
    if (line === count) return;
    if ((starts[line] as number) <= at && at + search.length <= (ends[line] as number)) found(line++);
    if (line === count) return;
    at = search.indexIn(bytes, Math.max(at + 1, starts[line] as number), used);
  }
}
