/** The last delivered bytes, to find the position again. */
export const KEPT_BYTES = 4096;

/**
 * Finds the position after this many bytes, and checks that the bytes before it are those delivered earlier.
 */
export class FixedPlace {
  #left: number;
  readonly #kept: Buffer;
  #tail: Buffer = Buffer.alloc(0);
  #isReached = false;
  /** At that place there is another log: it was rotated. */
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

/** Finds the position after the last bytes delivered, in an answer whose beginning moves with time. */
export class MovedPlace {
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
