import { LEVELS } from '../../../domain/filter.ts';
import { SHAPE, type Shape } from '../../../domain/records/line-shape.ts';
import {
  isOpen,
  MAX_LINE_DISTANCE_MS,
  type OpenRecord,
  type ShapedLine,
  spanOf,
  takeLine,
} from '../../../domain/records/open-record.ts';
import { startOf } from '../../../domain/records/record-rules.ts';
import { levelOfRecord, type RecordSummary, summarize } from '../../../domain/records/record-summary.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { BLOCK, type EntryTable, KIND } from './entry-table.ts';
import type { LineStore } from './line-store.ts';
import type { OrderChunk } from './order.ts';

/** The current record of a source's lines. Immutable. */
interface SourceLines {
  readonly open: OpenRecord;
  readonly head: EntryId;
  /** Its last line. */
  readonly tail: EntryId;
  /** Lines after it that may belong to it. */
  readonly waiting: readonly EntryId[];
  /** The chunk of its head. */
  readonly chunk: OrderChunk;
}

/** By source, the records that may continue. */
type OpenLines = ReadonlyMap<number, SourceLines>;

const NOTHING_OPEN: OpenLines = new Map();

/** How far the lines of a chunk are grouped. */
interface ChunkGroups {
  readonly version: number;
  readonly start: OpenLines;
  readonly lines: Map<number, SourceLines>;
  scanned: number;
  /** What later lines may continue, as of `scanned`. */
  end: OpenLines;
}

/** The summary of a folded record, and for how many lines it was made. */
interface KnownSummary {
  readonly count: number;
  readonly summary: RecordSummary;
}

/** Maximum cached summaries: those in and around the view. */
const MAX_SUMMARIES = 500;

/**
 * Groups held lines into records (domain/records), by container and run. The table links each line to its head and the
 * next line of its record, so that lines may be added or removed anywhere: only changed chunks are grouped again.
 */
export class RecordGroups {
  readonly #store: LineStore;
  readonly #chunks = new WeakMap<OrderChunk, ChunkGroups>();
  readonly #unfolded = new Set<EntryId>();
  readonly #summaries = new Map<EntryId, KnownSummary>();
  #isOn = false;
  /** Counts changes to records: rows sent earlier may be outdated. */
  changes = 0;

  constructor(store: LineStore) {
    this.#store = store;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(isOn: boolean) {
    this.#isOn = isOn;
    this.changes++;
  }

  isUnfolded(head: EntryId): boolean {
    return this.#unfolded.has(head);
  }

  fold(head: EntryId, isFolded: boolean): void {
    if (isFolded) this.#unfolded.delete(head);
    else this.#unfolded.add(head);
    this.changes++;
  }

  /** The head of the record that a line continues; undefined: it continues none. */
  headOf(id: EntryId): EntryId | undefined {
    const head = this.#isOn && this.#isLine(id) ? this.#store.table.get('head', id) : 0;
    return head !== 0 && this.#isLine(head - 1) ? head - 1 : undefined;
  }

  /** The lines of a record, its head first; only the head for a record of one line. */
  linesOf(head: EntryId): EntryId[] {
    const { table } = this.#store;
    const lines = [head];
    if (!this.#isOn) return lines;
    let next = table.get('next', head);
    for (; next !== 0 && this.#isLine(next - 1); next = table.get('next', next - 1)) lines.push(next - 1);
    return lines;
  }

  /** Yields the heads of all held records of several lines. */
  *heads(): Generator<EntryId, void, undefined> {
    const { table } = this.#store;
    if (!this.#isOn) return;
    for (let base = Math.floor(table.firstId / BLOCK) * BLOCK; base < table.nextId; base += BLOCK) {
      const block = table.block(base);
      if (block === undefined) continue;
      const { kind, head, next } = block;
      for (let at = 0; at < BLOCK; at++)
        if (next[at] !== 0 && head[at] === 0 && kind[at] === KIND.line) yield base + at;
    }
  }

  /** Groups these consecutive lines of a source into records, ignoring all other lines. */
  within(lines: readonly EntryId[]): readonly (readonly EntryId[])[] {
    if (!this.#isOn) return lines.map((id) => [id]);
    const records: EntryId[][] = [];
    let open: OpenRecord | undefined;
    for (const id of lines) {
      open = takeLine(open, this.#shapedLine(id));
      records.push([id]);
      // Until then each waiting line is a record of its own.
      if (open.waiting > 0) continue;
      const joined: EntryId[] = [];
      while (joined.length < open.lines) joined.unshift(...(records.pop() ?? []));
      records.push(joined);
    }
    return records;
  }

  /** The level of a record with these lines, as an index of LEVELS. */
  levelOf(lines: readonly EntryId[]): number {
    const { table } = this.#store;
    const levels = lines.map((id) => table.level(id));
    if (lines.length === 1) return levels[0] ?? LEVELS.length;
    return levelOfRecord(levels, table.get('shape', lines[0]!) === SHAPE.jsonOpen);
  }

  summaryOf(lines: readonly EntryId[]): RecordSummary {
    const head = lines[0]!;
    const known = this.#summaries.get(head);
    if (known?.count === lines.length) return known.summary;
    const summary = summarize(lines.map((id) => this.#store.text(id)));
    if (this.#summaries.size >= MAX_SUMMARIES) this.#summaries.clear();
    this.#summaries.set(head, { count: lines.length, summary });
    return summary;
  }

  #isLine(id: EntryId): boolean {
    return this.#store.table.kind(id) === KIND.line;
  }

  /** Takes in the changes of the order. */
  update(): void {
    if (!this.#isOn) return;
    const { chunks } = this.#store.order;
    let start = NOTHING_OPEN;
    chunks.forEach((chunk, index) => {
      let groups = this.#chunks.get(chunk);
      const isSame = groups?.version === chunk.version && isEqual(groups.start, start);
      const isLast = index === chunks.length - 1;
      if (groups === undefined || !isSame || (groups.scanned < chunk.length && !isLast)) {
        groups = { version: chunk.version, start, lines: new Map(start), scanned: 0, end: NOTHING_OPEN };
        this.#chunks.set(chunk, groups);
        for (const { tail } of start.values()) this.#store.table.set('next', tail, 0);
      }
      if (groups.scanned < chunk.length) {
        this.#scan(chunk, groups);
        groups.end = this.#near(groups.lines, chunk.last());
      }
      start = groups.end;
    });
  }

  #scan(chunk: OrderChunk, groups: ChunkGroups): void {
    const { table } = this.#store;
    for (let offset = groups.scanned; offset < chunk.length; offset++) {
      const id = chunk.ids[offset] as number;
      if (table.kind(id) === KIND.line) this.#take(id, groups.lines, chunk);
    }
    groups.scanned = chunk.length;
  }

  #take(id: EntryId, lines: Map<number, SourceLines>, chunk: OrderChunk): void {
    const { table } = this.#store;
    const source = table.source(id);
    const shape = table.get('shape', id) as Shape;
    const before = lines.get(source);
    unlink(table, id);
    if (before === undefined && startOf(shape) === 'none') return;
    const open = takeLine(before?.open, this.#shapedLine(id));
    const next = goOn(before, open, id, chunk);
    if (open.waiting === 0 && next.tail === id) this.#join(next, before, id);
    if (isOpen(open)) lines.set(source, next);
    else lines.delete(source);
  }

  #shapedLine(id: EntryId): ShapedLine {
    const { table } = this.#store;
    const [seconds, nanos] = [table.seconds(id), table.nanos(id)];
    return { shape: table.get('shape', id) as Shape, bytes: table.get('length', id), seconds, nanos };
  }

  /** Links the lines that joined the record since the previous state. */
  #join({ head, chunk }: SourceLines, before: SourceLines | undefined, id: EntryId): void {
    if (head === id || before === undefined) return;
    const { table } = this.#store;
    const isSame = before.head === head;
    let tail = isSame ? before.tail : head;
    for (const one of isSame ? [...before.waiting, id] : [id]) {
      table.set('head', one, head + 1);
      table.set('next', tail, one + 1);
      tail = one;
    }
    // The content shown for the record may have changed.
    chunk.regrouped++;
    this.changes++;
  }

  /** Records that lines after this one may continue. */
  #near(lines: ReadonlyMap<number, SourceLines>, last: EntryId): OpenLines {
    if (lines.size === 0) return NOTHING_OPEN;
    const { seconds, nanos } = this.#store.time(last);
    const near = [...lines].filter(([, { open }]) => {
      const ms = (seconds - open.last.seconds) * 1000 + (nanos - open.last.nanos) / 1e6;
      return ms <= MAX_LINE_DISTANCE_MS;
    });
    return near.length === 0 ? NOTHING_OPEN : new Map(near);
  }
}

function unlink(table: EntryTable, id: EntryId): void {
  table.set('head', id, 0);
  table.set('next', id, 0);
}

/** The state after another line of a source, which is in this chunk. */
function goOn(
  before: SourceLines | undefined,
  open: OpenRecord,
  id: EntryId,
  chunk: OrderChunk,
): SourceLines {
  const span = spanOf(open);
  const isSame = before !== undefined && span === spanOf(before.open) + 1;
  if (isSame && open.waiting > 0) return { ...before, open, waiting: [...before.waiting, id] };
  if (isSame) return { ...before, open, tail: id, waiting: [] };
  // The line begins a record, or continues one that began with the last waiting line.
  const head = span === 1 ? id : (before?.waiting.at(-1) ?? id);
  const isCertain = open.waiting === 0;
  return { open, head, tail: isCertain ? id : head, waiting: isCertain ? [] : [id], chunk };
}

function isEqual(a: OpenLines, b: OpenLines): boolean {
  if (a === b || (a.size === 0 && b.size === 0)) return true;
  if (a.size !== b.size) return false;
  for (const [source, lines] of a) if (b.get(source) !== lines) return false;
  return true;
}
