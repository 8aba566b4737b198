/** Number of last delivered bytes to keep, to find the position again. */
const KEPT_BYTES = 4096;
const LF = 10;
const NOTHING = new Uint8Array(0);

/** The position of one copy of a log, without timestamps: how much was delivered, and the last bytes of it. */
export interface BytePosition {
  readonly given: number;
  /** Number of delivered lines, counted if the request limits them. */
  readonly lines: number;
  readonly kept: Buffer;
}

const START: BytePosition = { given: 0, lines: 0, kept: Buffer.alloc(0) };

/** Which range of a log a copy is of. */
interface CopyRange {
  /** At most this many lines. */
  readonly tailLines: number | undefined;
  /** The first byte of a repeated answer is not the first one delivered. */
  readonly moves: boolean;
}

/** Walks through the bytes of a log: takes the chunks of successive answers and passes each byte once. */
export class ByteWalk {
  readonly #range: CopyRange;
  #position = START;
  #seek: FixedPosition | MovedPosition | undefined;

  constructor(range: CopyRange) {
    this.#range = range;
  }

  get position(): BytePosition {
    return this.#position;
  }

  /** Returns to a position, as when an answer turns out to belong to another run. */
  restore(position: BytePosition): void {
    this.#position = position;
  }

  get hasLines(): boolean {
    return this.#position.given > 0;
  }

  get endsLine(): boolean {
    return this.#position.kept.at(-1) === LF;
  }

  /** Whether all lines of a tail were delivered: later lines do not belong to it. */
  get isFull(): boolean {
    const { tailLines } = this.#range;
    return tailLines !== undefined && this.#position.lines >= tailLines;
  }

  /** Prepares for the repetition of an answer: drops delivered bytes. */
  beginResume(): void {
    const { given, kept } = this.#position;
    this.#seek = this.#range.moves ? new MovedPosition(kept) : new FixedPosition(given, kept);
  }

  /**
   * Takes the next chunk of an answer and returns its new bytes. Calls `onGap` if the answer has other bytes in place of
   * the delivered ones, and is at the start then: the answer must be requested again.
   */
  admit(chunk: Uint8Array, onGap: () => void): Uint8Array {
    const rest = this.#seek === undefined ? chunk : this.#seek.later(chunk);
    if (this.#seek?.isElsewhere !== true) return this.give(rest);
    this.#position = START;
    onGap();
    return NOTHING;
  }

  /** Adds the next bytes, and returns them; limits a tail to its number of lines. */
  give(more: Uint8Array): Uint8Array {
    const { given, kept, lines } = this.#position;
    const [bytes, ended] = this.#upToTail(more, lines);
    this.#position = {
      given: given + bytes.length,
      lines: ended,
      kept:
        bytes.length >= KEPT_BYTES
          ? Buffer.from(bytes.subarray(bytes.length - KEPT_BYTES))
          : Buffer.concat([kept, bytes]).subarray(-KEPT_BYTES),
    };
    return bytes;
  }

  /** Returns the bytes of the wanted lines, and how many lines have ended with them. */
  #upToTail(bytes: Uint8Array, before: number): readonly [bytes: Uint8Array, lines: number] {
    const { tailLines } = this.#range;
    let lines = before;
    if (tailLines === undefined) return [bytes, lines];
    if (lines >= tailLines) return [NOTHING, lines];
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
      if (++lines >= tailLines) return [bytes.subarray(0, at + 1), lines];
    }
    return [bytes, lines];
  }

  /** Returns the part of a log's last lines after the delivered bytes; undefined if those are not among them. */
  restOf(last: Buffer): Buffer | undefined {
    const { given, kept } = this.#position;
    if (given < last.length) {
      const start = Math.max(0, given - kept.length);
      if (last.subarray(start, given).equals(kept)) return last.subarray(given);
    }
    const known = kept.subarray(-Math.min(kept.length, last.length));
    if (last.subarray(-known.length).equals(known)) return last.subarray(last.length);
    const at = last.lastIndexOf(kept);
    return at === -1 ? undefined : last.subarray(at + kept.length);
  }
}

/** Counts the lines that end in these bytes. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}

/** Finds the position after this many bytes, and verifies that the bytes before it are those delivered earlier. */
class FixedPosition {
  #left: number;
  readonly #kept: Buffer;
  #tail: Buffer = Buffer.alloc(0);
  #isReached = false;
  /** The bytes at that position differ: the log was rotated. */
  isElsewhere = false;

  constructor(given: number, kept: Buffer) {
    this.#left = given;
    this.#kept = kept;
  }

  later(chunk: Uint8Array): Uint8Array {
    if (this.#isReached) return chunk;
    const skipped = chunk.subarray(0, this.#left);
    this.#left -= skipped.length;
    this.#tail = Buffer.concat([this.#tail, skipped.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    if (this.#left > 0) return chunk.subarray(chunk.length);
    this.#isReached = true;
    this.isElsewhere = !this.#tail.subarray(-this.#kept.length).equals(this.#kept);
    return chunk.subarray(skipped.length);
  }
}

/** Finds the position after the last delivered bytes, in an answer whose beginning moves with time. */
class MovedPosition {
  readonly #kept: Buffer;
  #held: Buffer = Buffer.alloc(0);
  #isFound = false;
  readonly isElsewhere = false;

  constructor(kept: Buffer) {
    this.#kept = kept;
  }

  later(chunk: Uint8Array): Uint8Array {
    if (this.#isFound) return chunk;
    this.#held = Buffer.concat([this.#held, chunk]);
    const at = this.#held.indexOf(this.#kept);
    if (at === -1) {
      this.#held = this.#held.subarray(-(this.#kept.length + chunk.length));
      return chunk.subarray(chunk.length);
    }
    this.#isFound = true;
    return this.#held.subarray(at + this.#kept.length);
  }
}
