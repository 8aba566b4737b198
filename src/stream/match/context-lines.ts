import type { LogRecord } from '../../domain/record.ts';

/** Bytes of messages that may wait for a match, over all containers; beyond it the oldest are let go. */
const HELD_LIMIT_BYTES = 32 * 1024 * 1024;

interface Lines {
  /** Records before the present one that did not match and were not given out, the newest last. */
  readonly before: LogRecord[];
  /** Records that still follow the last match. */
  after: number;
}

/**
 * Adds context lines around matches: `before` and `after` records of the same container (over its restarts). A record
 * is given out once, also where contexts overlap.
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

  /** Bytes of the messages that wait. */
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
      for (const earlier of lines.before) {
        this.#heldBytes -= earlier.message.length;
        out.push(earlier);
      }
      lines.before.length = 0;
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
    // A message is a view into a chunk of the body: holding it would hold the chunk. (Buffer.slice does not copy.)
    lines.before.push({ ...record, message: new Uint8Array(record.message) });
    this.#heldBytes += record.message.length;
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
    this.#heldBytes -= lines.before.shift()?.message.length ?? 0;
  }
}
