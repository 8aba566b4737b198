import { decodeUtf8, sanitizeFragment, sanitizeLine } from '@logtool/kube/src/values/sanitize.ts';

const NEWLINE = 10;
/** A longer line is written in parts, so that a line without an end does not fill the memory. */
const MAX_HELD_BYTES = 64 * 1024;
/**
 * What may continue in the next part: an incomplete color sequence or character, or a CR that may end the
 * line.
 */
const BEGUN = /(?:\x1b(?:\[[0-9;:]*)?|\r|[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;
/** A longer sequence has no color to lose. */
const MAX_BEGUN_BYTES = 64;

/**
 * Copies a log to a terminal, escaped line by line, regardless of chunk borders. With `color`, color
 * sequences pass through.
 */
export class TerminalCopy {
  readonly #color: boolean;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(color: boolean) {
    this.#color = color;
  }

  /** Returns what can be written now; an incomplete line waits for its end. */
  push(chunk: Uint8Array): string {
    const last = chunk.lastIndexOf(NEWLINE);
    let text = '';
    if (last !== -1) {
      const bytes = Buffer.concat([...this.#take(), chunk.subarray(0, last)]);
      for (const line of decodeUtf8(bytes).split('\n')) text += `${sanitizeLine(line, this.#color)}\n`;
    }
    // Copies, because the chunk belongs to the sender.
    const rest = chunk.slice(last + 1);
    this.#held.push(rest);
    this.#heldBytes += rest.length;
    return this.#heldBytes > MAX_HELD_BYTES ? text + this.#release() : text;
  }

  /** Returns the held part of an incomplete line. */
  #release(): string {
    const bytes = Buffer.concat(this.#take());
    const begun = BEGUN.exec(bytes.toString('latin1', bytes.length - MAX_BEGUN_BYTES))?.[0].length ?? 0;
    const end = bytes.length - begun;
    this.#held = [bytes.subarray(end)];
    this.#heldBytes = begun;
    return sanitizeFragment(decodeUtf8(bytes.subarray(0, end)), this.#color);
  }

  /** Returns the line that has no end yet. */
  rest(): string {
    return sanitizeLine(decodeUtf8(Buffer.concat(this.#take())), this.#color);
  }

  #take(): Uint8Array[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }
}
