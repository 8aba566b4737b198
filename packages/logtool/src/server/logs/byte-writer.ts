const FIRST_BYTES = 16 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MIN_PRINTABLE = 0x20;

/**
 * Builds JSON text as bytes. Log messages are already bytes: it copies those that JSON accepts unchanged, which are
 * most, without converting them to text.
 */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    // No UTF-16 unit takes more than three bytes of UTF-8.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** Writes text of only ASCII characters. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
  }

  /** Writes a whole number from 0 on, in decimal. */
  count(value: number): void {
    this.#reserve(16);
    const buffer = this.#buffer;
    let digits = 1;
    for (let bound = 10; bound <= value; bound *= 10) digits++;
    let at = this.#length + digits;
    this.#length = at;
    let rest = value;
    do {
      const tenth = Math.floor(rest / 10);
      buffer[--at] = 48 + (rest - tenth * 10);
      rest = tenth;
    } while (rest > 0);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  /**
   * Writes the inside of a JSON string. `bytes` must be UTF-8. RFC 8259, 7: only the quote, the backslash and
   * characters below U+0020 must be escaped.
   */
  jsonBytes(bytes: Uint8Array): void {
    const { length } = bytes;
    // An escape takes six bytes at most.
    this.#reserve(length * 6);
    const buffer = this.#buffer;
    let at = this.#length;
    for (let index = 0; index < length; index++) {
      const byte = bytes[index]!;
      if (byte >= MIN_PRINTABLE && byte !== QUOTE && byte !== BACKSLASH) buffer[at++] = byte;
      else at = writeEscape(buffer, at, byte);
    }
    this.#length = at;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns the bytes so far; the writer starts over, and does not change these bytes. */
  take(): Uint8Array {
    const taken = new Uint8Array(this.#buffer.subarray(0, this.#length));
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

const SHORT_ESCAPES = new Map([
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [QUOTE, '"'],
  [BACKSLASH, '\\'],
]);

function writeEscape(buffer: Buffer, at: number, byte: number): number {
  const short = SHORT_ESCAPES.get(byte);
  if (short !== undefined) return at + buffer.write(`\\${short}`, at, 'latin1');
  return at + buffer.write(`\\u00${byte.toString(16).padStart(2, '0')}`, at, 'latin1');
}
