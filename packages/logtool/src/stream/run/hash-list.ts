import type { LogRecord } from '../../domain/record.ts';

/** Hash of nanoseconds, length, and up to 32 bytes of the message (its start and its end). */
export function hashRecord(record: LogRecord): number {
  const { message } = record;
  const { length } = message;
  let hash = Math.imul(record.at.nanos ^ 0x811c9dc5, 0x01000193) ^ length;
  const head = Math.min(length, 16);
  for (let index = 0; index < head; index++) hash = Math.imul(hash ^ message[index]!, 0x01000193);
  for (let index = Math.max(head, length - 16); index < length; index++) {
    hash = Math.imul(hash ^ message[index]!, 0x01000193);
  }
  return hash;
}

/** A growing list of 32-bit hashes: four bytes a line. With a plain array a dense log is slower to read. */
export class HashList {
  // So small that it lies in the heap of V8 itself.
  #hashes = new Int32Array(16);
  #length = 0;

  push(hash: number): void {
    if (this.#length === this.#hashes.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.#length++] = hash;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy of the hashes, in the order in which they came. */
  values(): Int32Array {
    return this.#hashes.slice(0, this.#length);
  }

  /** Holds these hashes and no others. */
  set(hashes: Int32Array): void {
    if (hashes.length > this.#hashes.length) this.#hashes = new Int32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#length = hashes.length;
  }

  /** The count of each hash. */
  counts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (let index = 0; index < this.#length; index++) {
      const hash = this.#hashes[index]!;
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return counts;
  }
}
