import type { LogRecord } from '../../domain/record.ts';

/** Returns a hash of nanoseconds, length, and up to 32 bytes of the message (its start and its end). */
export function hashRecord(record: LogRecord): number {
  const { message } = record;
  const { length } = message;
  const seed = Math.imul(record.at.nanos ^ 0x811c9dc5, 0x01000193) ^ length;
  if (length < 32) return mixed(seed, message);
  // Computes two at once, which are independent of each other.
  let head = seed;
  let tail = length;
  for (let index = 0, last = length - 16; index < 16; index++, last++) {
    head = Math.imul(head ^ message[index]!, 0x01000193);
    tail = Math.imul(tail ^ message[last]!, 0x01000193);
  }
  return Math.imul(head, 0x01000193) ^ tail;
}

function mixed(seed: number, message: Uint8Array): number {
  let hash = seed;
  for (const byte of message) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

/** A growing list of 32-bit hashes: four bytes a line. With a plain array, reading a dense log is slower. */
export class HashList {
  // Small enough for the heap of V8 itself.
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

  get last(): number | undefined {
    return this.#length === 0 ? undefined : this.#hashes[this.#length - 1];
  }

  clear(): void {
    this.#length = 0;
  }

  /** Returns a copy of the hashes, in the order in which they came. */
  values(): Int32Array {
    return this.#hashes.slice(0, this.#length);
  }

  /** Replaces the content with these hashes. */
  set(hashes: Int32Array): void {
    if (hashes.length > this.#hashes.length) this.#hashes = new Int32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#length = hashes.length;
  }

  /** Returns the count of each hash. */
  counts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (let index = 0; index < this.#length; index++) {
      const hash = this.#hashes[index]!;
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return counts;
  }
}
