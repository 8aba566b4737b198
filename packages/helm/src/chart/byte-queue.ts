/** Reads pieces of any size from a stream with chunks of other sizes. */
export class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  /** Returns the next `length` bytes, fewer only at the end. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#chunk.length >= length) return this.#takeFromChunk(length);
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length && (await this.#fill())) {
      const taken = this.#takeFromChunk(Math.min(length - filled, this.#chunk.length));
      bytes.set(taken, filled);
      filled += taken.length;
    }
    return bytes.subarray(0, filled);
  }

  /** Skips bytes; resolves to false if the stream ends before that. */
  async skip(length: number): Promise<boolean> {
    let left = length;
    while (left > 0) {
      if (!(await this.#fill())) return false;
      left -= this.#takeFromChunk(Math.min(left, this.#chunk.length)).length;
    }
    return true;
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return false;
      this.#chunk = value;
    }
    return true;
  }

  #takeFromChunk(length: number): Uint8Array {
    const bytes = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return bytes;
  }
}
