import type { LogRecord } from '../../domain/record.ts';

/** Memory that records may hold while they wait for a match, over all containers; beyond it the oldest are let go. */
const HELD_LIMIT_BYTES = 64 * 1024 * 1024;

interface Lines {
  /** Records before the present one that did not match and were not given out, the newest last. */
  readonly before: LogRecord[];
  /** Records that still follow the last match. */
  after: number;
}

/**
 * Adds context lines around matches: `before` and `after` records of the same container (over its restarts). A record
 * is given out once, also where contexts overlap, and as the object that came in.
 *
 * A message is a view into a chunk of the log's body, which it keeps alive. So chunks are what is counted: each once
 * for its container, since neighbours come from the same one.
 */
export class ContextLines {
  readonly #before: number;
  readonly #after: number;
  readonly #byContainer = new Map<string, Lines>();
  readonly #limitBytes: number;
  #heldBytes = 0;

  constructor(before: number, after: number, limitBytes = HELD_LIMIT_BYTES) {
    this.#before = before;
    this.#after = after;
    this.#limitBytes = limitBytes;
  }

  /** Memory that is kept alive by the records that wait, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What is to be given out now that this record has come: nothing, itself, or what stood before it and itself. */
  take(record: LogRecord, isMatch: boolean, out: LogRecord[]): void {
    const { id } = record.source.target;
    let lines = this.#byContainer.get(id);
    if (lines === undefined) {
      lines = { before: [], after: 0 };
      this.#byContainer.set(id, lines);
    }
    if (isMatch) {
      while (lines.before[0] !== undefined) {
        out.push(lines.before[0]);
        this.#letGo(lines);
      }
      lines.after = this.#after;
      out.push(record);
    } else if (lines.after > 0) {
      lines.after--;
      out.push(record);
    } else if (this.#before > 0) {
      this.#hold(lines, record);
    }
  }

  #hold(lines: Lines, record: LogRecord): void {
    if (!sharesChunk(lines.before.at(-1), record)) this.#heldBytes += record.message.buffer.byteLength;
    lines.before.push(record);
    if (lines.before.length > this.#before) this.#letGo(lines);
    while (this.#heldBytes > this.#limitBytes) {
      const longest = [...this.#byContainer.values()].reduce((a, b) =>
        b.before.length > a.before.length ? b : a,
      );
      if (longest.before.length === 0) return;
      this.#letGo(longest);
    }
  }

  #letGo(lines: Lines): void {
    const record = lines.before.shift();
    if (record === undefined || sharesChunk(lines.before[0], record)) return;
    this.#heldBytes -= record.message.buffer.byteLength;
  }
}

function sharesChunk(a: LogRecord | undefined, b: LogRecord): boolean {
  return a?.message.buffer === b.message.buffer;
}
