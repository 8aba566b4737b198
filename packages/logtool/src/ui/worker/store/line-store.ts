import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { resemblesJson } from '../../../domain/json-line.ts';
import { levelIndex } from '../../../domain/level.ts';
import { shapeOf } from '../../../domain/records/line-shape.ts';
import type { JudgedLine } from '../../../domain/search/line-matcher.ts';
import { type MissingRange, timeOfBound } from '../coverage/missing.ts';
import type { EntryId, Row } from '../session/protocol.ts';
import { Arena, compactChunk } from './arena.ts';
import { ENTRY_FLAGS, EntryTable, KIND } from './entry-table.ts';
import { earlier, later, normal, Order, type OrderPosition } from './order.ts';
import { NO_SOURCE, SourceTable } from './source-table.ts';

/** A line as it came. */
export interface NewLine extends Timestamp {
  readonly source: number;
  readonly text: string;
  readonly flags: number;
}

/** What decides an entry's place. */
export interface EntryKey extends Timestamp {
  readonly source: number;
  readonly seq: number;
}

/** Between which entries lines are put, whatever their times say: the edges of a page. */
export interface Fence {
  readonly after?: EntryId | undefined;
  readonly before?: EntryId | undefined;
}

export type Marker = Pick<Extract<Row, { kind: 'marker' }>, 'marker' | 'text' | 'isWarning'> & {
  readonly source: number | undefined;
  /** Of a gap: between which times lines may be missing, as far as that is known. */
  readonly span?: Interval;
  /** When the page learnt of it, or when a gap begins, ms since the epoch. */
  readonly atMs?: number;
};

/** Room between neighbours of one time and source, so that lines of a later page fit between. */
const SEQ_STEP = 2 ** 20;

/**
 * All entries that are held, in their total order: time, place of the source's run, place in the file. The place in the
 * file is the order of arrival, except if a page says otherwise.
 */
export class LineStore {
  readonly table: EntryTable;
  readonly arena = new Arena();
  readonly order = new Order();
  readonly sources = new SourceTable();
  readonly markers = new Map<EntryId, Marker>();
  readonly missing = new Map<EntryId, MissingRange>();
  lines = 0;
  /** Of the running searches: says of a new line what VERDICT it gets. */
  judge: { search?: (line: JudgedLine) => number; fields?: (line: JudgedLine) => number } = {};
  /** The running searches examined all lines from these ids on; 0: all loaded lines. */
  readonly judged = { searched: 0, fielded: 0 };
  /** Lines that come now are not shown yet. */
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
    const levels = this.sources.get(line.source).levels;
    levels[level] = (levels[level] ?? 0) + 1;
    this.lines++;
    return id;
  }

  /** `at`: its time, or the entry right after which it stands: as if of that one's source, for its own may be first. */
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
    this.#putByKey(id, 'after' in at ? { after: at.after } : undefined);
    return id;
  }

  /** Puts a place of lines that are not held before another entry (at the end: without one). */
  addMissing(range: MissingRange, before: EntryId | undefined): EntryId {
    const at = before === undefined ? this.order.end() : this.locate(before);
    const previous = this.order.before(at);
    const from = timeOfBound(range.from);
    // Lines of the time at which it begins may be held: it stands after them.
    const isAfterEqual = previous !== undefined && compareTimestamps(this.time(previous), from) >= 0;
    const key = isAfterEqual ? this.keyOf(previous) : { ...from, source: NO_SOURCE };
    const id = this.#createMissing(range, key);
    this.#insert(at, id);
    return id;
  }

  /** Puts a missing place before all, where an entry stood that is gone. */
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

  /** Says something else where a marker stands. */
  changeMarker(id: EntryId, marker: Marker): void {
    this.markers.set(id, marker);
    // Rows that were given are others now, as when they moved.
    this.order.moves++;
  }

  /** Puts a marker right before another entry. */
  moveMarker(id: EntryId, before: EntryId): void {
    this.order.remove(this.locate(id));
    const { seconds, nanos } = this.time(before);
    this.table.set('seconds', id, seconds);
    this.table.set('nanos', id, nanos);
    this.table.set('source', id, this.table.source(before));
    this.#insert(this.locate(before), id);
  }

  /** Where the entry stands. Throws when it is gone. */
  locate(id: EntryId): OrderPosition {
    const position = this.order.search((other) => this.compare(other, id));
    if (this.order.at(position) === id) return normal(this.order, position);
    // If a page says another order than times do (a clock that went back at its edge), keys do not lead there.
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

  /** The first place at or after a time. */
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

  /** Takes entries out. Their ids are not used again. */
  remove(gone: (id: EntryId) => boolean): void {
    this.order.filter((id) => {
      if (!gone(id)) return true;
      this.#free(id);
      return false;
    });
  }

  /** Takes out one entry that is held. */
  removeOne(id: EntryId): void {
    this.order.remove(this.locate(id));
    this.#free(id);
  }

  /** Takes out the first or the last entries of the order: `ids` are those. */
  removeAtEdge(edge: 'first' | 'last', ids: readonly EntryId[]): void {
    for (const id of ids) this.#free(id);
    if (edge === 'first') this.order.dropFirst(ids.length);
    else this.order.dropLast(ids.length);
  }

  /** Gives back the memory of lines that are gone. */
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
      const { levels } = this.sources.get(table.source(id));
      const level = table.level(id);
      levels[level] = (levels[level] ?? 0) - 1;
      this.lines--;
    }
    this.markers.delete(id);
    this.missing.delete(id);
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
      const { chunk, offset } = this.locate(fence.after);
      position = later(position, { chunk, offset: offset + 1 });
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
