import type { FilterPlan } from '../../domain/filter.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { detach } from '../run/line-parser.ts';

/** Memory that records may hold while they wait for a match, over all containers; above it the oldest are dropped. */
const HELD_LIMIT_BYTES = 64 * 1024 * 1024;
/** Above this, waiting records are copied out of the chunks that they are views of, if the chunks are much larger. */
const LOOSE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Memory of a copy in addition to its bytes. */
const COPY_BYTES = 400;
/** Maximum number of waiting records: a record takes memory in addition to its message. */
const HELD_LIMIT_RECORDS = 250_000;

/** Why a record is shown: it matches, it follows a match, or it precedes one. */
export type Role = 'match' | 'after' | 'before';
/** Receives each record of a container, in order, once it is certain whether it is shown. */
export type Emit = (record: LogRecord, role: Role | undefined) => void;

/** Returns the records that are reported as shown. */
export function shownOf(report: (reported: Emit) => void): LogRecord[] {
  const shown: LogRecord[] = [];
  report((record, role) => {
    if (role !== undefined) shown.push(record);
  });
  return shown;
}

interface Lines {
  /** Earlier records that did not match and were not output, from `start` on, the newest last. */
  before: LogRecord[];
  start: number;
  /** From this index on they are views of chunks. */
  loose: number;
  heldBytes: number;
  /** Their size as copies. */
  copyBytes: number;
  /** Number of records since the last shown one. */
  unshown: number;
  /** Records that still follow the last match. */
  after: number;
}

/**
 * Adds context lines around matches: `before` and `after` records of the same container (across its restarts). Outputs
 * a record once, even if contexts overlap, and mostly as the same object.
 *
 * A message is a view into a chunk of the log's body, which it keeps alive. So this counts chunks: each once for its
 * container, since neighbors come from the same one.
 */
export class ContextLines {
  readonly #before: number;
  readonly #after: number;
  readonly #byContainer = new Map<string, Lines>();
  readonly #limitBytes: number;
  readonly #looseBytes: number;
  readonly #limitRecords: number;
  readonly #onLost: ((match: LogRecord, lost: number) => void) | undefined;
  #heldBytes = 0;
  #heldRecords = 0;

  /** `onLost`: this many lines before a match were dropped, because waiting records took too much memory. */
  constructor(
    before: number,
    after: number,
    limitBytes = HELD_LIMIT_BYTES,
    onLost?: (match: LogRecord, lost: number) => void,
  ) {
    this.#before = before;
    this.#after = after;
    this.#limitBytes = limitBytes;
    const isLimited = Number.isFinite(limitBytes);
    this.#looseBytes = isLimited ? Math.min(limitBytes, LOOSE_LIMIT_BYTES) : limitBytes;
    this.#limitRecords = isLimited ? HELD_LIMIT_RECORDS : limitBytes;
    this.#onLost = onLost;
  }

  /** Memory that the waiting records keep alive, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Outputs what a new record makes certain: nothing, itself, or the preceding records and itself. */
  take(record: LogRecord, isMatch: boolean, out: LogRecord[]): void {
    this.add(record, isMatch, (one, role) => {
      if (role !== undefined) out.push(one);
    });
  }

  /** Does the same, and also reports the records that certainly stay hidden. */
  add(record: LogRecord, isMatch: boolean, emit: Emit): void {
    const lines = this.#linesOf(record.run.target.id);
    if (isMatch) {
      const lost = Math.min(this.#before, lines.unshown) - (lines.before.length - lines.start);
      if (lost > 0) this.#onLost?.(record, lost);
      while (lines.start < lines.before.length) this.#letGo(lines, 'before', emit);
      lines.unshown = 0;
      lines.after = this.#after;
      emit(record, 'match');
    } else if (lines.after > 0) {
      lines.after--;
      emit(record, 'after');
    } else if (this.#before > 0) {
      lines.unshown++;
      this.#hold(lines, record, emit);
    } else {
      emit(record, undefined);
    }
  }

  #linesOf(id: string): Lines {
    let lines = this.#byContainer.get(id);
    if (lines === undefined) {
      lines = { before: [], start: 0, loose: 0, heldBytes: 0, copyBytes: 0, unshown: 0, after: 0 };
      this.#byContainer.set(id, lines);
    }
    return lines;
  }

  #hold(lines: Lines, record: LogRecord, emit: Emit): void {
    const newest = lines.start < lines.before.length ? lines.before.at(-1) : undefined;
    if (!sharesChunk(newest, record)) this.#count(lines, record.message.buffer.byteLength);
    lines.before.push(record);
    lines.copyBytes += record.message.length + COPY_BYTES;
    this.#heldRecords++;
    if (lines.before.length - lines.start > this.#before) this.#letGo(lines, undefined, emit);
    if (this.#heldBytes > this.#looseBytes && lines.heldBytes > lines.copyBytes * 2) this.#copyLoose(lines);
    // With several containers, those that hold more than their share drop records.
    const containers = this.#byContainer.size;
    while (
      lines.start < lines.before.length &&
      ((this.#heldBytes > this.#limitBytes && lines.heldBytes > this.#limitBytes / containers) ||
        (this.#heldRecords > this.#limitRecords &&
          lines.before.length - lines.start > this.#limitRecords / containers))
    )
      this.#letGo(lines, undefined, emit);
  }

  #letGo(lines: Lines, role: Role | undefined, emit: Emit): void {
    const record = lines.before[lines.start++]!;
    lines.copyBytes -= record.message.length + COPY_BYTES;
    this.#heldRecords--;
    if (!sharesChunk(lines.before[lines.start], record))
      this.#count(lines, -record.message.buffer.byteLength);
    if (lines.start === lines.before.length || lines.start > this.#before) {
      lines.before = lines.before.slice(lines.start);
      lines.loose = Math.max(0, lines.loose - lines.start);
      lines.start = 0;
    }
    emit(record, role);
  }

  #copyLoose(lines: Lines): void {
    for (let index = Math.max(lines.loose, lines.start); index < lines.before.length; index++) {
      const record = lines.before[index]!;
      if (!sharesChunk(lines.before[index + 1], record))
        this.#count(lines, -record.message.buffer.byteLength);
      this.#count(lines, record.message.length);
      lines.before[index] = detach(record);
    }
    lines.loose = lines.before.length;
  }

  #count(lines: Lines, bytes: number): void {
    lines.heldBytes += bytes;
    this.#heldBytes += bytes;
  }
}

function sharesChunk(a: LogRecord | undefined, b: LogRecord): boolean {
  return a?.message.buffer === b.message.buffer;
}

/** Returns matches with the context lines around them, in the total order. `all`: the known records, in that order. */
export function withContext(
  all: readonly LogRecord[],
  matches: readonly LogRecord[],
  filter: FilterPlan,
): readonly LogRecord[] {
  if (filter.beforeContext === 0 && filter.afterContext === 0) return matches;
  const wanted = new Set(matches);
  const lines = linesFor(filter);
  const out: LogRecord[] = [];
  for (const record of all) lines.take(record, wanted.has(record), out);
  return out.sort(compareRecords);
}

/** Everything is in memory anyway. */
function linesFor({ beforeContext, afterContext }: FilterPlan): ContextLines {
  return new ContextLines(beforeContext, afterContext, Number.POSITIVE_INFINITY);
}

/** Whether a match has fewer known earlier records of its container than its context requires. */
export function lacksContext(
  known: readonly LogRecord[],
  matches: ReadonlySet<LogRecord>,
  { beforeContext }: FilterPlan,
): boolean {
  return known.slice(0, beforeContext).some((record) => matches.has(record));
}
