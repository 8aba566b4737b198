/** Repeatable random values from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 0x9e3779b9;
  }

  /** Returns a number from 0 to max - 1. */
  below(max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  hex(length: number): string {
    return this.text('0123456789abcdef', length);
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  base64(bytes: number): string {
    return Buffer.from(Array.from({ length: bytes }, () => this.below(256))).toString('base64');
  }
}
