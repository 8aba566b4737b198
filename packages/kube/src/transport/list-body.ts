import type { RequestSubject } from '../errors.ts';
import { decodeJson } from './decode-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ITEMS = '"items"';
/** Whitespace of RFC 8259. */
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A list without its items, and the decoded items; undefined if the list has no array of items. */
export interface ListBody<T> {
  readonly list: unknown;
  readonly items: readonly T[] | undefined;
}

/**
 * Decodes the JSON of a list item by item while it arrives: a page of 500 pods is several MB of text and some ten MB of
 * objects, of which `decodeItem` keeps little.
 * Accepts and rejects the same texts as `decodeJson` for the whole text, because each item, and the text around the
 * items, is JSON in itself.
 * @throws KubeError of kind `protocol`, or the error of `decodeItem`
 */
export async function decodeListBody<T>(
  body: AsyncIterable<Uint8Array>,
  request: RequestSubject,
  decodeItem: (item: unknown) => T,
): Promise<ListBody<T>> {
  const splitter = new ItemSplitter<T>((bytes) => decodeItem(decodeJson(bytes, request)));
  for await (const chunk of body) splitter.push(chunk);
  const list = decodeJson(splitter.rest(), request);
  return { list, items: splitter.items };
}

/** Separates the elements of the array `items` from the rest of an object's text. */
class ItemSplitter<T> {
  items: T[] | undefined;

  readonly #decode: (bytes: Buffer) => T;
  readonly #around: Uint8Array[] = [];
  /** The chunks of the current item. */
  #piece: Uint8Array[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /**
   * The string at depth 1 that is being read or was read last, as long as it may be the key `items`; without any text
   * after it.
   */
  #key = '';
  #isAfterItemsKey = false;
  #isInItems = false;
  /** Whether the current item has content other than whitespace, or follows a comma. */
  #hasItem = false;

  constructor(decode: (bytes: Buffer) => T) {
    this.#decode = decode;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#isInString) this.#readString(byte);
      else if (this.#isInItems) start = this.#readItems(chunk, start, at);
      else if (this.#readAround(byte)) {
        this.#around.push(chunk.subarray(start, at + 1));
        start = at + 1;
      }
    }
    if (start === chunk.length) return;
    if (this.#isInItems) this.#piece.push(chunk.subarray(start));
    else this.#around.push(chunk.subarray(start));
  }

  /** Returns the text without the items. */
  rest(): Buffer {
    return Buffer.concat(this.#around);
  }

  #readString(byte: number): void {
    if (this.#depth === 1 && !this.#isInItems && this.#key.length < ITEMS.length)
      this.#key += String.fromCharCode(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  /** Reads a byte outside of strings and of the items; returns true if the items begin after it. */
  #readAround(byte: number): boolean {
    if (SPACES.has(byte)) return false;
    const begins = this.#isAfterItemsKey && byte === OPEN_BRACKET;
    // If a key occurs several times, JSON.parse takes its last value.
    if (this.#isAfterItemsKey) this.items = undefined;
    this.#isAfterItemsKey = byte === COLON && this.#depth === 1 && this.#key === ITEMS;
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#key = '"';
      return false;
    }
    this.#key = '';
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
    if (!begins) return false;
    this.#isInItems = true;
    this.#depth = 0;
    this.#hasItem = false;
    this.items = [];
    return true;
  }

  /** Reads a byte in the items, outside of strings; returns where unused bytes begin. */
  #readItems(chunk: Uint8Array, start: number, at: number): number {
    const byte = chunk[at] as number;
    if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
      this.#piece.push(chunk.subarray(start, at));
      // Empty brackets lack no item; an empty place beside a comma does, so decoding must fail there.
      if (this.#hasItem || byte === COMMA) this.#endItem();
      this.#piece = [];
      this.#hasItem = byte === COMMA;
      if (byte === COMMA) return at + 1;
      this.#isInItems = false;
      this.#depth = 1;
      return at;
    }
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (this.#depth > 0 && (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)) this.#depth--;
    this.#hasItem ||= !SPACES.has(byte);
    return start;
  }

  #endItem(): void {
    const [only] = this.#piece;
    const bytes =
      this.#piece.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(this.#piece);
    this.items?.push(this.#decode(bytes));
  }
}
