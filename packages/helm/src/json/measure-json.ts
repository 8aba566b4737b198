/** The size of a JSON text once parsed. */
export interface JsonSize {
  /** At least the number of values: counts every opening bracket and every comma. */
  readonly values: number;
  /** The maximum number of nested brackets. */
  readonly depth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Measures a JSON text (UTF-8) without parsing it, because a value of two bytes takes a hundred or more once parsed.
 * Stops at `maxValues`; the text may then have more than the result. Also measures text that is not JSON.
 */
export function measureJson(bytes: Uint8Array, maxValues: number): JsonSize {
  let values = 1;
  let open = 0;
  let depth = 0;
  for (let index = 0; index < bytes.length && values <= maxValues; index++) {
    const byte = bytes[index] as number;
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth = Math.max(depth, ++open);
    } else if (CLOSING.has(byte)) open--;
  }
  return { values, depth };
}

/** Returns the index of the closing quotation mark of a string, or the length of the text. */
function endOfString(bytes: Uint8Array, from: number): number {
  let index = from + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
