import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { Fact, FactKind } from '../../../domain/facts/fact.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { resemblesJson } from '../../../domain/json-line.ts';
import { levelIndex } from '../../../domain/level.ts';
import { shapeOf } from '../../../domain/records/line-shape.ts';
import type { JudgedLine } from '../../../domain/search/line-matcher.ts';
import { type MissingRange, timeOfBound } from '../known/missing.ts';
import type { EntryId, Row } from '../protocol/protocol.ts';
import { Arena, compactChunk } from './arena.ts';
import { ENTRY_FLAGS, EntryTable, KIND } from './entry-table.ts';
import { earlier, later, normal, Order, type OrderPosition } from './order.ts';
import { type HeldSource, LET_GO, linesOf, NO_SOURCE, SourceTable } from './source-table.ts';

/** A line as it arrived. */
export interface NewLine extends Timestamp {
  readonly source: number;
  readonly text: string;
  readonly flags: number;
}

/** Determines an entry's position. */
export interface EntryKey extends Timestamp {
  readonly source: number;
  readonly seq: number;
}

/** The entries between which lines are inserted, regardless of their times: the edges of a page. */
export interface Fence {
  readonly after?: EntryId | undefined;
  readonly before?: EntryId | undefined;
}

export type Marker = Pick<Extract<Row, { kind: 'marker' }>, 'marker' | 'text' | 'isWarning'> & {
  readonly source: number | undefined;
  /** For a gap: the interval in which lines may be missing, as far as known. */
  readonly span?: Interval;
  /** When the page learned of it, or when a gap begins, ms since the epoch. */
  readonly atMs?: number;
  /** Facts with the same subject replace the marker. */
  readonly about?: MarkerSubject;
};

/** What a marker reports about some containers, in the terms of the facts that would report it. */
export interface MarkerSubject {
  readonly kinds: readonly FactKind[];
  /** `pod UID/container/run`; for waiting containers `pod UID/container`. */
  readonly runs: readonly string[];
  /** For waiting containers. */
  readonly reason?: string | undefined;
}

/** A fact that has a row. */
export interface FactEntry {
  readonly fact: Fact;
  /** The start of the next run, which is reported in the row of the preceding exit. */
  readonly restart: Fact | undefined;
  /** Changes when the content of the row changes. */
  readonly revision: number;
}

/** Room between neighbors of one time and source, so that lines of a later page fit between. */
const SEQ_STEP = 2 ** 20;

/**
 * All held entries in their total order: time, rank of the source's run, rank in the file. The rank in the file is the
 * order of arrival, unless a page gives another order.
 */
export class LineStore {
  readonly table: EntryTable;
  readonly arena = new Arena();
  readonly order = new Order();
  readonly sources = new SourceTable();
  readonly markers = new Map<EntryId, Marker>();
  readonly missing = new Map<EntryId, MissingRange>();
  readonly facts = new Map<EntryId, FactEntry>();
  /** Markers that only repeat facts. */
  readonly hiddenMarkers = new Set<EntryId>();
  /** Places facts among the held entries; called before the order is read. */
  positionFacts: () => void = () => undefined;
  /** Whether lines that facts depend on were added or removed. */
  areFactsStale = false;
  lines = 0;
  /** The running searches: returns the VERDICT of a new line. */
  judge: { search?: (line: JudgedLine) => number; fields?: (line: JudgedLine) => number } = {};
  /** The running searches have examined all lines from these ids on; 0: all loaded lines. */
  readonly judged = { searched: 0, fielded: 0 };
  /** Whether arriving lines stay hidden for now. */
  withholding = false;

  constructor(firstId = 0) {
    this.table = new EntryTable(firstId);
  }

  addLine(line: NewLine, fence?: Fence): EntryId {
    const { table, arena } = this;
    const id = table.create(KIND.line);
    const placed = arena.append(id, line.text);
    const bytes = arena.view(placed.chunk, placed.offset, placed.length);
    const level = levelIndex(bytes);
    let flags = line.flags & 31;
    if (placed.hasEscapes) flags |= ENTRY_FLAGS.escapes;
    if (resemblesJson(bytes)) flags |= ENTRY_FLAGS.json;
    if (this.withholding && fence === undefined) flags |= ENTRY_FLAGS.withheld;
    table.set('seconds', id, line.seconds);
    table.set('nanos', id, line.nanos);
    table.set('source', id, line.source);
    table.set('chunk', id, placed.chunk);
    table.set('offset', id, placed.offset);
    table.set('length', id, placed.length);
    table.set('level', id, level);
    table.set('shape', id, shapeOf(line.text, level));
    table.set('flags', id, flags);
    if (this.judge.search !== undefined || this.judge.fields !== undefined) this.#judge(id, line.text);
    this.#putByKey(id, fence);
    const own = this.sources.get(line.source);
    own.levels[level] = (own.levels[level] ?? 0) + 1;
    this.#noteEdges(own, id);
    this.lines++;
    return id;
  }

  #noteEdges(source: HeldSource, id: EntryId): void {
    const { first, last } = source;
    const isFirst = first === undefined || (first !== LET_GO && this.compare(id, first) < 0);
    const isLast = last === undefined || (last !== LET_GO && this.compare(last, id) < 0);
    if (isFirst) source.first = id;
    if (isLast) source.last = id;
    // A run that begins may be the one after an exit.
    if (first === undefined || (source.hasFacts && (isFirst || isLast))) this.areFactsStale = true;
  }

  /** The first or last held line of a run; undefined: none is held. */
  edgeOf(index: number, edge: 'first' | 'last'): EntryId | undefined {
    const source = this.sources.get(index);
    if (source[edge] !== LET_GO) return source[edge];
    const found = linesOf(source) === 0 ? undefined : this.#findEdge(index, edge);
    source[edge] = found;
    return found;
  }

  #findEdge(index: number, edge: 'first' | 'last'): EntryId | undefined {
    const { table, order } = this;
    const ids = edge === 'first' ? order.from({ chunk: 0, offset: 0 }) : order.back(order.end());
    for (const id of ids) if (table.kind(id) === KIND.line && table.source(id) === index) return id;
    return undefined;
  }

  /** Adds a fact right after another entry (undefined: before all). `at`: its position by time only. */
  addFact(after: EntryId | undefined, at: Timestamp, entry: FactEntry): EntryId {
    const id = this.table.create(KIND.fact);
    this.table.set('level', id, LEVELS.length);
    this.facts.set(id, entry);
    this.#putFact(id, after, at);
    return id;
  }

  /** Moves a fact, with the parameters of `addFact`. */
  moveFact(id: EntryId, after: EntryId | undefined, at: Timestamp): void {
    this.order.remove(this.locate(id));
    this.#putFact(id, after, at);
  }

  /** Changes the content of a fact. */
  changeFact(id: EntryId, entry: FactEntry): void {
    this.facts.set(id, entry);
    // Like `changeMarker`.
    this.order.moves++;
  }

  /** Keeps keys ascending in the order: a fact out of time order gets the time of its neighbor. */
  #putFact(id: EntryId, after: EntryId | undefined, at: Timestamp): void {
    const position = after === undefined ? { chunk: 0, offset: 0 } : this.#after(after);
    const next = this.order.at(position);
    let key: Omit<EntryKey, 'seq'> = { ...at, source: NO_SOURCE };
    if (after !== undefined && compareTimestamps(at, this.time(after)) <= 0) key = this.keyOf(after);
    else if (next !== undefined && compareTimestamps(at, this.time(next)) > 0) key = this.keyOf(next);
    this.table.set('seconds', id, key.seconds);
    this.table.set('nanos', id, key.nanos);
    this.table.set('source', id, key.source);
    this.#insert(position, id);
  }

  /** The entry right after another (undefined: the first of all). */
  entryAfter(id: EntryId | undefined): EntryId | undefined {
    return id === undefined ? this.order.first : this.order.at(this.#after(id));
  }

  #after(id: EntryId): OrderPosition {
    const { chunk, offset } = this.locate(id);
    return { chunk, offset: offset + 1 };
  }

  /**
   * `at`: its time, or the entry that it follows; it then gets that entry's source, because its own may sort earlier.
   */
  addMarker(at: Timestamp | { readonly after: EntryId }, marker: Marker): EntryId {
    const id = this.table.create(KIND.marker);
    const own = { ...at, source: marker.source ?? NO_SOURCE };
    const { seconds, nanos, source } = 'after' in own ? this.keyOf(own.after) : own;
    this.table.set('seconds', id, seconds);
    this.table.set('nanos', id, nanos);
    this.table.set('source', id, source);
    this.table.set('level', id, LEVELS.length);
    if (this.withholding) this.table.set('flags', id, ENTRY_FLAGS.withheld);
    this.markers.set(id, marker);
    if (marker.about !== undefined) this.areFactsStale = true;
    this.#putByKey(id, 'after' in at ? { after: at.after } : undefined);
    return id;
  }

  /** Adds a missing range before another entry (undefined: at the end). */
  addMissing(range: MissingRange, before: EntryId | undefined): EntryId {
    const at = before === undefined ? this.order.end() : this.locate(before);
    const previous = this.order.before(at);
    const from = timeOfBound(range.from);
    // Lines at the time where the range begins may be held: the range follows them.
    const isAfterEqual = previous !== undefined && compareTimestamps(this.time(previous), from) >= 0;
    const key = isAfterEqual ? this.keyOf(previous) : { ...from, source: NO_SOURCE };
    const id = this.#createMissing(range, key);
    this.#insert(at, id);
    return id;
  }

  /** Adds a missing range before all, at the key of an evicted entry. */
  addMissingFirst(range: MissingRange, key: EntryKey): EntryId {
    const id = this.#createMissing(range, key);
    this.table.set('seq', id, key.seq);
    this.order.insert({ chunk: 0, offset: 0 }, id);
    return id;
  }

  keyOf(id: EntryId): EntryKey {
    return { ...this.time(id), source: this.table.source(id), seq: this.table.get('seq', id) };
  }

  #createMissing(range: MissingRange, key: Omit<EntryKey, 'seq'>): EntryId {
    const id = this.table.create(KIND.missing);
    this.table.set('level', id, LEVELS.length);
    this.table.set('seconds', id, key.seconds);
    this.table.set('nanos', id, key.nanos);
    this.table.set('source', id, key.source);
    this.missing.set(id, range);
    return id;
  }

  /** Changes the content of a marker. */
  changeMarker(id: EntryId, marker: Marker): void {
    this.markers.set(id, marker);
    this.areFactsStale = true;
    // Rows sent earlier are now outdated, as after a move.
    this.order.moves++;
  }

  /** Hides a marker from views because facts report the same, or shows it again. */
  hideMarker(id: EntryId, isHidden: boolean): void {
    if (this.hiddenMarkers.has(id) === isHidden) return;
    if (isHidden) this.hiddenMarkers.add(id);
    else this.hiddenMarkers.delete(id);
    const chunk = this.order.chunks[this.locate(id).chunk];
    if (chunk !== undefined) chunk.version++;
    this.order.moves++;
  }

  /** Moves a marker right before another entry. */
  moveMarker(id: EntryId, before: EntryId): void {
    this.order.remove(this.locate(id));
    const { seconds, nanos } = this.time(before);
    this.table.set('seconds', id, seconds);
    this.table.set('nanos', id, nanos);
    this.table.set('source', id, this.table.source(before));
    this.#insert(this.locate(before), id);
  }

  /** Returns the position of an entry. Throws if the entry is evicted. */
  locate(id: EntryId): OrderPosition {
    const position = this.order.search((other) => this.compare(other, id));
    if (this.order.at(position) === id) return normal(this.order, position);
    // If a page has another order than its times (a clock went back at its edge), keys do not lead to the entry.
    for (const [chunk, { ids, length }] of this.order.chunks.entries()) {
      const offset = ids.subarray(0, length).indexOf(id);
      if (offset !== -1) return { chunk, offset };
    }
    throw new Error(`entry ${id} is not held`);
  }

  isHeld(id: EntryId): boolean {
    return this.table.kind(id) !== KIND.dead;
  }

  /** Total order of two held entries. */
  compare(a: EntryId, b: EntryId): number {
    return (
      this.compareTo(a, this.table.seconds(b), this.table.nanos(b), this.table.source(b)) ||
      this.table.get('seq', a) - this.table.get('seq', b)
    );
  }

  /** Order of a held entry against a time and source: 0 for all of that time and source. */
  compareTo(id: EntryId, seconds: number, nanos: number, source: number): number {
    const byTime = this.table.seconds(id) - seconds || this.table.nanos(id) - nanos;
    if (byTime !== 0) return byTime;
    const own = this.table.source(id);
    if (own === source) return 0;
    const [a, b] = [this.sources.order(own), this.sources.order(source)];
    return a === b ? 0 : a < b ? -1 : 1;
  }

  /** The first or last of all held lines. */
  edgeLine(edge: 'first' | 'last'): EntryId | undefined {
    const { table, order } = this;
    const ids = edge === 'first' ? order.from({ chunk: 0, offset: 0 }) : order.back(order.end());
    for (const id of ids) if (table.kind(id) === KIND.line) return id;
    return undefined;
  }

  /** The first position at or after a time. */
  positionOf(at: Timestamp): OrderPosition {
    return this.order.search((id) => this.table.seconds(id) - at.seconds || this.table.nanos(id) - at.nanos);
  }

  time(id: EntryId): Timestamp {
    return { seconds: this.table.seconds(id), nanos: this.table.nanos(id) };
  }

  text(id: EntryId): string {
    const { table } = this;
    return this.arena.text(table.get('chunk', id), table.offset(id), table.get('length', id));
  }

  /** Removes entries. Their ids are not reused. */
  remove(gone: (id: EntryId) => boolean): void {
    this.areFactsStale = true;
    this.order.filter((id) => {
      if (!gone(id)) return true;
      this.#free(id);
      return false;
    });
  }

  /** Removes one held entry. */
  removeOne(id: EntryId): void {
    this.order.remove(this.locate(id));
    this.#free(id);
  }

  /** Removes the first or last entries of the order, which `ids` lists. */
  removeAtEdge(edge: 'first' | 'last', ids: readonly EntryId[]): void {
    for (const id of ids) this.#free(id);
    this.areFactsStale = true;
    if (edge === 'first') this.order.dropFirst(ids.length);
    else this.order.dropLast(ids.length);
  }

  /** Releases the memory of evicted lines. */
  reclaim(): void {
    for (const chunk of this.arena.chunks()) {
      if (!this.arena.isFull(chunk) || chunk.live > chunk.used / 2) continue;
      compactChunk(this.arena, this.table, chunk);
    }
  }

  #free(id: EntryId): void {
    const { table } = this;
    if (table.kind(id) === KIND.line) {
      this.arena.release(table.get('chunk', id), table.get('length', id));
      const source = this.sources.get(table.source(id));
      const { levels } = source;
      if (source.first === id) source.first = LET_GO;
      if (source.last === id) source.last = LET_GO;
      const level = table.level(id);
      levels[level] = (levels[level] ?? 0) - 1;
      this.lines--;
    }
    this.markers.delete(id);
    this.missing.delete(id);
    this.facts.delete(id);
    this.hiddenMarkers.delete(id);
    table.free(id);
  }

  #judge(id: EntryId, text: string): void {
    const line = { text, level: this.table.level(id), flags: this.table.flags(id) };
    const { search, fields } = this.judge;
    if (search !== undefined) this.table.set('searched', id, search(line));
    if (fields !== undefined) this.table.set('fielded', id, fields(line));
  }

  #putByKey(id: EntryId, fence: Fence | undefined): void {
    const { table, order } = this;
    const seconds = table.seconds(id);
    const nanos = table.nanos(id);
    const source = table.source(id);
    const { last } = order;
    if (fence === undefined && (last === undefined || this.compareTo(last, seconds, nanos, source) <= 0)) {
      this.#insert(order.end(), id);
      return;
    }
    let position = order.search((other) => (this.compareTo(other, seconds, nanos, source) <= 0 ? -1 : 1));
    if (fence?.before !== undefined) position = earlier(position, this.locate(fence.before));
    if (fence?.after !== undefined) {
      position = later(position, this.#after(fence.after));
    }
    this.#insert(position, id);
  }

  #insert(position: OrderPosition, id: EntryId): void {
    const previous = this.order.before(position);
    const next = this.order.at(position);
    this.table.set('seq', id, this.#seqBetween(previous, next, id));
    this.order.insert(position, id);
  }

  #seqBetween(previous: EntryId | undefined, next: EntryId | undefined, id: EntryId): number {
    const low =
      previous !== undefined && this.#isEqual(previous, id) ? this.table.get('seq', previous) : undefined;
    const high = next !== undefined && this.#isEqual(next, id) ? this.table.get('seq', next) : undefined;
    if (low === undefined) return high === undefined ? 0 : high - SEQ_STEP;
    if (high === undefined) return low + SEQ_STEP;
    return high - low > 2 ? low + 1 : (low + high) / 2;
  }

  #isEqual(a: EntryId, b: EntryId): boolean {
    return this.compareTo(a, this.table.seconds(b), this.table.nanos(b), this.table.source(b)) === 0;
  }
}
