import { LEVELS } from '../../../domain/filter.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { BLOCK, type Block, ENTRY_FLAGS, KIND, VERDICT } from './entry-table.ts';
import { EqualLines } from './equal-lines.ts';
import type { LineStore } from './line-store.ts';
import { ORDER_CHUNK, type OrderChunk } from './order.ts';
import { RecordGroups } from './record-groups.ts';

/** What a view leaves out. */
export interface ViewFilter {
  /** Source indexes and level indexes to show; undefined: all. */
  readonly wanted?: ((source: number, level: number) => boolean) | undefined;
  /** Whether to leave out lines that do not match the field filters. */
  readonly byFields: boolean;
  /** Whether to leave out markers and lines that do not match the search. */
  readonly bySearch: boolean;
  /** Tests a record's level (by index) for the search; undefined: accepts any level. */
  readonly soughtLevels?: ((level: number) => boolean) | undefined;
  /** Whether to leave out lines that arrived while paused. */
  readonly paused: boolean;
}

export const NO_FILTER: ViewFilter = { byFields: false, bySearch: false, paused: false };

/** The kinds of entries of interest, for ticks and for navigation from one to the next. */
export type Interest = 'hits' | 'errors' | 'warns' | 'facts';

/** The shown entries of a chunk. Numbers are indexes among the chunk's shown entries. */
interface ChunkIndex {
  readonly generation: number;
  readonly version: number;
  readonly regrouped: number;
  scanned: number;
  /** Offsets of the shown entries; undefined: all. */
  readonly shown: Uint16Array | undefined;
  count: number;
  readonly hits: number[];
  readonly errors: number[];
  readonly warns: number[];
  readonly facts: number[];
  /** Number of records, or of lines if grouping is off. */
  lines: number;
  /** The smallest id of its lines. */
  oldest: number;
  /** Whether a search or the field filters have not examined all of its lines yet. */
  isPending: boolean;
}

const ERROR = LEVELS.indexOf('error');
const WARN = LEVELS.indexOf('warn');

/** The entries of the view and their indexes. Kept by chunk, so that only changed chunks are examined. */
export class View {
  readonly #store: LineStore;
  readonly #groups: RecordGroups;
  readonly #folds: boolean;
  readonly #indexes = new WeakMap<OrderChunk, ChunkIndex>();
  #filter: ViewFilter = NO_FILTER;
  #generation = 0;
  readonly #equals: EqualLines;
  #foldsEqual = false;
  #starts: number[] = [];
  total = 0;

  /** `folds`: whether to show only the head of a record of several lines, unless it is unfolded; false: all lines. */
  constructor(store: LineStore, groups = new RecordGroups(store), folds = true) {
    this.#store = store;
    this.#groups = groups;
    this.#folds = folds;
    this.#equals = new EqualLines(store, groups);
  }

  /** Whether consecutive equal lines are one row. */
  get foldsEqual(): boolean {
    return this.#foldsEqual;
  }

  set foldsEqual(on: boolean) {
    this.#foldsEqual = on && this.#folds;
    this.#generation++;
  }

  /** The group of equal lines that contains a line, from the first to the last; undefined: the line has no equals. */
  equalTo(id: EntryId): readonly EntryId[] | undefined {
    if (!this.#foldsEqual || this.#store.table.kind(id) !== KIND.line) return undefined;
    const first = this.#firstEqual(id) ?? id;
    const at = this.#store.locate(first);
    const ids = this.#equals.from(this.#store.order.chunks[at.chunk]!, at.offset, this.#generation);
    return ids.length === 1 ? undefined : ids;
  }

  #firstEqual(id: EntryId): EntryId | undefined {
    const at = this.#store.locate(id);
    return this.#equals.firstOf(this.#store.order.chunks[at.chunk]!, at.offset, this.#generation);
  }

  get filter(): ViewFilter {
    return this.#filter;
  }

  set filter(filter: ViewFilter) {
    this.#filter = filter;
    this.#generation++;
  }

  /** Call when the filter's or the search's result for examined entries has changed. */
  invalidate(): void {
    this.#generation++;
  }

  /** Takes in changes; call before the other methods. */
  refresh(): void {
    this.#store.positionFacts();
    this.#groups.update();
    let sum = 0;
    const starts: number[] = [];
    for (const chunk of this.#store.order.chunks) {
      starts.push(sum);
      sum += this.#index(chunk).count;
    }
    this.#starts = starts;
    this.total = sum;
  }

  /** The entry at an index of the view. */
  at(index: number): EntryId | undefined {
    if (index < 0 || index >= this.total) return undefined;
    const location = this.#chunkAt(index);
    const chunk = this.#store.order.chunks[location];
    if (chunk === undefined) return undefined;
    const within = index - (this.#starts[location] ?? 0);
    const { shown } = this.#index(chunk);
    return chunk.ids[shown === undefined ? within : (shown[within] as number)];
  }

  /** Entries from an index on. */
  slice(index: number, count: number): EntryId[] {
    const ids: EntryId[] = [];
    for (let at = Math.max(0, index); at < Math.min(this.total, index + count); at++) {
      ids.push(this.at(at) as EntryId);
    }
    return ids;
  }

  /** Index of a held entry, or of the next shown entry if it is hidden. */
  indexOf(id: EntryId): number {
    return this.indexAt(this.#store.locate(id));
  }

  /** Index of the first shown entry at or after a position of the order. */
  indexAt(location: { readonly chunk: number; readonly offset: number }): number {
    const chunk = this.#store.order.chunks[location.chunk];
    if (chunk === undefined) return this.total;
    const { shown, count } = this.#index(chunk);
    const within =
      shown === undefined ? Math.min(location.offset, count) : lowerBound(shown, count, location.offset);
    return (this.#starts[location.chunk] ?? 0) + within;
  }

  /** Number of entries of interest in the view. */
  count(what: Interest): number {
    let sum = 0;
    for (const chunk of this.#store.order.chunks) sum += this.#index(chunk)[what].length;
    return sum;
  }

  /** Number of entries of interest before an index of the view. */
  countBefore(what: Interest, index: number): number {
    let sum = 0;
    this.#store.order.chunks.forEach((chunk, at) => {
      const start = this.#starts[at] ?? 0;
      if (start >= index) return;
      const { [what]: list, count } = this.#index(chunk);
      sum += start + count <= index ? list.length : lowerBound(list, list.length, index - start);
    });
    return sum;
  }

  /** Index of the nearest entry of interest at or after (before) an index. */
  next(what: Interest, from: number, direction: 1 | -1): number | undefined {
    const { chunks } = this.#store.order;
    const begin =
      direction === 1 ? this.#chunkAt(from) : this.#chunkAt(Math.max(0, Math.min(from, this.total - 1)));
    for (let at = begin; at >= 0 && at < chunks.length; at += direction) {
      const list = this.#index(chunks[at] as OrderChunk)[what];
      const start = this.#starts[at] ?? 0;
      const index = lowerBound(list, list.length, direction === 1 ? from - start : from - start + 1);
      const found = direction === 1 ? list[index] : list[index - 1];
      if (found !== undefined) return start + found;
    }
    return undefined;
  }

  /** Positions of entries of interest as fractions of the view, at most `most`. */
  ticks(what: Interest, most: number): number[] {
    const { total } = this;
    const marked = new Set<number>();
    const perTick = Math.max(1, total / most);
    this.#store.order.chunks.forEach((chunk, at) => {
      const start = this.#starts[at] ?? 0;
      const list = this.#index(chunk)[what];
      // Jumps from tick to tick, skipping the entries in between.
      for (let index = 0; index < list.length; ) {
        const tick = Math.floor((start + (list[index] as number)) / perTick);
        marked.add(tick);
        index = Math.max(index + 1, lowerBound(list, list.length, Math.ceil((tick + 1) * perTick) - start));
      }
    });
    return [...marked]
      .sort((a, b) => a - b)
      .map((tick) => Math.min(1, (tick * perTick) / Math.max(1, total)));
  }

  /** Shown entries of a chunk, and the records, errors and warnings among them. */
  chunk(
    at: number,
  ): { readonly start: number; readonly count: number; readonly lines: number } & Record<
    Interest,
    readonly number[]
  > {
    const index = this.#index(this.#store.order.chunks[at] as OrderChunk);
    return { start: this.#starts[at] ?? 0, ...index };
  }

  #chunkAt(index: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  #index(chunk: OrderChunk): ChunkIndex {
    let index = this.#indexes.get(chunk);
    const isKnown =
      index?.version === chunk.version &&
      index.regrouped === chunk.regrouped &&
      index.generation === this.#generation;
    if (index === undefined || !isKnown) {
      const { wanted, byFields, bySearch, paused } = this.#filter;
      const isFiltered =
        this.#foldsEqual || this.#groups.isOn || wanted !== undefined || byFields || bySearch || paused;
      index = {
        generation: this.#generation,
        version: chunk.version,
        regrouped: chunk.regrouped,
        scanned: 0,
        shown: isFiltered ? new Uint16Array(ORDER_CHUNK) : undefined,
        count: 0,
        hits: [],
        errors: [],
        warns: [],
        facts: [],
        lines: 0,
        oldest: Number.POSITIVE_INFINITY,
        isPending: false,
      };
      this.#indexes.set(chunk, index);
    }
    if (index.scanned === chunk.length) return index;
    // An arriving line may fold into one that was already counted.
    if (this.#foldsEqual && index.scanned > 0) {
      this.#indexes.delete(chunk);
      return this.#index(chunk);
    }
    this.#scan(chunk, index);
    return index;
  }

  /** Marks chunks for another examination if a search has since covered all of their lines. */
  settle(): void {
    const judgedFrom = this.#judgedFrom;
    for (const chunk of this.#store.order.chunks) {
      const index = this.#indexes.get(chunk);
      if (index?.isPending === true && index.oldest >= judgedFrom) this.#indexes.delete(chunk);
    }
  }

  get #judgedFrom(): number {
    const { searched, fielded } = this.#store.judged;
    return Math.max(searched, fielded);
  }

  #scan(chunk: OrderChunk, index: ChunkIndex): void {
    const { table } = this.#store;
    let block: Block | undefined;
    let base = Number.POSITIVE_INFINITY;
    for (let offset = index.scanned; offset < chunk.length; offset++) {
      const id = chunk.ids[offset] as number;
      let at = id - base;
      if (!(at >= 0 && at < BLOCK)) {
        base = Math.floor(id / BLOCK) * BLOCK;
        block = table.block(id);
        at = id - base;
      }
      if (block !== undefined) this.#scanEntry(chunk, index, offset, id, block, at);
    }
    index.scanned = chunk.length;
    // Pending work stays pending, although this pass examined only new lines.
    if (index.oldest < this.#judgedFrom) index.isPending = true;
  }

  #scanEntry(
    chunk: OrderChunk,
    index: ChunkIndex,
    offset: number,
    id: EntryId,
    block: Block,
    at: number,
  ): void {
    const { shown } = index;
    const isLine = block.kind[at] === KIND.line;
    if (isLine && id < index.oldest) index.oldest = id;
    if (isLine && (block.head[at] !== 0 || block.next[at] !== 0) && this.#groups.isOn) {
      this.#scanRecord(index, offset, id);
      return;
    }
    if (shown !== undefined) {
      if (!this.#shows(id, block, at)) return;
      shown[index.count] = offset;
    }
    if (isLine && this.#foldsEqual) {
      const more = this.#foldedEquals(chunk, offset, id);
      if (more === undefined) return;
      for (let left = more; left > 0; left--) this.#countLine(index, block, at);
    }
    this.#countEntry(index, block, at);
    index.count++;
  }

  #countEntry(index: ChunkIndex, block: Block, at: number): void {
    if (block.kind[at] === KIND.fact) index.facts.push(index.count);
    else if (block.kind[at] === KIND.line) this.#countLine(index, block, at);
  }

  /** Counts a line that is a record of its own, at the current end of its chunk. */
  #countLine(index: ChunkIndex, block: Block, at: number): void {
    countRecord(index, block.level[at] as number);
    if (this.#isHit(block, at)) index.hits.push(index.count);
  }

  /** Whether a line that is a record of its own matches the search. */
  #isHit(block: Block, at: number): boolean {
    const { soughtLevels } = this.#filter;
    return block.searched[at] === VERDICT.hit && soughtLevels?.(block.level[at] as number) !== false;
  }

  /** How many equal lines are folded into this one; undefined: it is itself folded into another. */
  #foldedEquals(chunk: OrderChunk, offset: number, id: EntryId): number | undefined {
    const first = this.#equals.firstOf(chunk, offset, this.#generation);
    if (this.#groups.isUnfolded(first ?? id)) return 0;
    return first === undefined ? this.#equals.from(chunk, offset, this.#generation).length - 1 : undefined;
  }

  /**
   * Scans a line of a record of several. All of its lines decide whether the record is shown; it counts once, at its
   * head.
   */
  #scanRecord(index: ChunkIndex, offset: number, id: EntryId): void {
    const groups = this.#groups;
    const head = groups.headOf(id) ?? id;
    const isUnfolded = !this.#folds || groups.isUnfolded(head);
    if (head !== id && !isUnfolded) return;
    const lines = groups.linesOf(head);
    for (const line of lines) if (line < index.oldest) index.oldest = line;
    if (!this.#showsRecord(lines)) return;
    if (index.shown !== undefined) index.shown[index.count] = offset;
    if (head === id) countRecord(index, groups.levelOf(lines));
    // If the lines of a record are rows, the first matching line is the hit.
    const hit = this.hitOf(lines);
    if (hit !== undefined && id === (isUnfolded ? hit : head)) index.hits.push(index.count);
    index.count++;
  }

  #showsRecord(lines: readonly EntryId[]): boolean {
    const { table } = this.#store;
    const { wanted, paused } = this.#filter;
    if (paused && lines.every((id) => (table.flags(id) & ENTRY_FLAGS.withheld) !== 0)) return false;
    const [head] = lines;
    if (head === undefined || wanted?.(table.source(head), this.#groups.levelOf(lines)) === false)
      return false;
    return this.finds(lines);
  }

  /** Whether the record of a line is of interest, also if it is hidden because it arrived while paused. */
  isOfInterest(what: Exclude<Interest, 'facts'>, id: EntryId): boolean {
    if (this.#store.table.kind(id) !== KIND.line) return false;
    const lines = this.#groups.linesOf(this.#groups.headOf(id) ?? id);
    if (!this.#accepts(lines)) return false;
    const level = this.#groups.levelOf(lines);
    if (what === 'hits') return this.hitOf(lines) !== undefined;
    return what === 'errors' ? level <= ERROR : level === WARN;
  }

  /** Whether a line begins a record that the filters accept, also if it is hidden because it arrived while paused. */
  isAcceptedHead(id: EntryId): boolean {
    const isHead = this.#store.table.kind(id) === KIND.line && this.#groups.headOf(id) === undefined;
    return isHead && this.#accepts(this.#groups.linesOf(id));
  }

  #accepts(lines: readonly EntryId[]): boolean {
    const [head] = lines;
    if (head === undefined) return false;
    const source = this.#store.table.source(head);
    return this.#filter.wanted?.(source, this.#groups.levelOf(lines)) !== false && this.finds(lines);
  }

  /** Whether fields and search accept the record with these lines, ignoring facets. */
  finds(lines: readonly EntryId[]): boolean {
    const { byFields, bySearch } = this.#filter;
    if (bySearch) return this.hitOf(lines) !== undefined;
    if (!byFields) return true;
    const verdicts = lines.map((id) => this.#store.table.verdict('fielded', id));
    return verdicts.includes(VERDICT.hit) && !verdicts.includes(VERDICT.refused);
  }

  /** The first line of a record that makes it match the search; undefined: it does not match. */
  hitOf(lines: readonly EntryId[]): EntryId | undefined {
    const { table } = this.#store;
    const { byFields, soughtLevels } = this.#filter;
    if (soughtLevels?.(this.#groups.levelOf(lines)) === false) return undefined;
    const columns = byFields ? (['searched', 'fielded'] as const) : (['searched'] as const);
    const has = (id: EntryId, verdict: number) => (column: (typeof columns)[number]) =>
      table.verdict(column, id) === verdict;
    if (lines.some((id) => columns.some(has(id, VERDICT.refused)))) return undefined;
    return lines.find((id) => columns.every(has(id, VERDICT.hit)));
  }

  /** The records that a row of the view represents, by their heads: none for a further line of a record. */
  recordsAt(id: EntryId): readonly EntryId[] {
    if (this.#groups.headOf(id) !== undefined) return [];
    return this.#foldedInto(id) ?? [id];
  }

  /** All lines of a row: one, equal ones, or a folded record. */
  wholeAt(id: EntryId): readonly EntryId[] {
    if (this.#isOneLine(id)) return [id];
    return this.#foldedInto(id) ?? this.#groups.linesOf(id);
  }

  /** Whether a row is only its own line: it is unfolded, or a later line of an unfolded record. */
  #isOneLine(id: EntryId): boolean {
    return this.#groups.isUnfolded(id) || this.#groups.headOf(id) !== undefined;
  }

  /** The equal lines that are folded into this first one. */
  #foldedInto(id: EntryId): readonly EntryId[] | undefined {
    const equal = this.equalTo(id);
    return equal?.[0] === id && !this.#groups.isUnfolded(id) ? equal : undefined;
  }

  #shows(id: EntryId, block: Block, at: number): boolean {
    const { wanted, byFields, bySearch, paused } = this.#filter;
    if (paused && ((block.flags[at] as number) & ENTRY_FLAGS.withheld) !== 0) return false;
    const kind = block.kind[at];
    if (kind === KIND.missing) return true;
    // Filters decide which lines are shown, and which containers' facts.
    if (kind === KIND.fact) return wanted === undefined || this.#showsFact(id, wanted);
    if (kind === KIND.marker) return this.#showsMarker(id);
    if (wanted !== undefined && !wanted(block.source[at] as number, block.level[at] as number)) return false;
    if (byFields && block.fielded[at] !== VERDICT.hit) return false;
    return !bySearch || this.#isHit(block, at);
  }

  #showsMarker(id: EntryId): boolean {
    if (this.#store.hiddenMarkers.has(id)) return false;
    const { source, span } = this.#store.markers.get(id) ?? {};
    const { wanted, bySearch } = this.#filter;
    // Among hits, a row says where others may be missing.
    if (bySearch && span === undefined) return false;
    return source === undefined || wanted === undefined || anyLevel(wanted, source);
  }

  /** Shows a fact that does not concern a held container, because it belongs to all of them. */
  #showsFact(id: EntryId, wanted: NonNullable<ViewFilter['wanted']>): boolean {
    const fact = this.#store.facts.get(id)?.fact;
    const about = fact === undefined ? [] : this.#store.sources.ofSubject(fact.subject);
    return about.length === 0 || about.some((source) => anyLevel(wanted, source));
  }
}

/** Counts a shown record, at the current end of its chunk. */
function countRecord(index: ChunkIndex, level: number): void {
  if (level <= ERROR) index.errors.push(index.count);
  else if (level === WARN) index.warns.push(index.count);
  index.lines++;
}

function anyLevel(wanted: (source: number, level: number) => boolean, source: number): boolean {
  for (let level = 0; level <= LEVELS.length; level++) if (wanted(source, level)) return true;
  return false;
}

/** First index in an ascending list whose number is at least `value`. */
function lowerBound(list: { readonly [index: number]: number }, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
