/** Up to this size a loop is faster than a call that copies. */
const MAX_LOOP_BYTES = 48;

/** Joins a batch of lines for one write. Copies messages as bytes, never as text. */
export class ByteBuilder {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(length);
    if (length <= MAX_LOOP_BYTES) {
      const buffer = this.#buffer;
      let to = this.#length;
      for (let index = 0; index < length; index++) buffer[to++] = bytes[index]!;
    } else {
      this.#buffer.set(bytes, this.#length);
    }
    this.#length += length;
  }

  newline(): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = 10;
  }

  /** Returns the bytes so far and starts over. They are valid until the builder is used again. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
