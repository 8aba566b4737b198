const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder('latin1');

/** A field's value, as far as levels need it: a short text or a number. */
export type JsonScalar = string | number;

/** Longer texts cannot be the name of a level. */
const LONGEST_BYTES = 32;

/** Whether a line begins like a JSON object, blanks aside. */
export function looksLikeJson(message: Uint8Array): boolean {
  return message[skipBlanks(message, 0)] === 0x7b;
}

/**
 * Short scalar values of the outermost object of a JSON line, for the keys that `wanted` knows. Reads no more than
 * the given bytes and parses nothing else, so that a line of any length costs the same. The line may be cut or
 * malformed: what was found until there counts.
 */
export function scanJsonFields(
  message: Uint8Array,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, JsonScalar> {
  const found = new Map<string, JsonScalar>();
  let at = skipBlanks(message, 0);
  if (message[at] !== 0x7b) return found;
  let depth = 0;
  let keyNext = false;
  while (at < message.length) {
    const byte = message[at];
    if (byte === QUOTE) {
      const end = stringEnd(message, at);
      if (depth === 1 && keyNext) {
        keyNext = false;
        const colon = skipBlanks(message, end);
        if (message[colon] === 0x3a) {
          const key = textBetween(message, at + 1, end - 1);
          if (key !== undefined && wanted.has(key)) {
            const value = readScalar(message, skipBlanks(message, colon + 1));
            if (value !== undefined) found.set(key, value);
          }
        }
      }
      at = end;
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) {
      depth++;
      keyNext = byte === 0x7b && depth === 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      if (depth === 0) break;
    } else if (byte === 0x2c && depth === 1) {
      keyNext = true;
    }
    at++;
  }
  return found;
}

function readScalar(message: Uint8Array, start: number): JsonScalar | undefined {
  if (message[start] === QUOTE) return textBetween(message, start + 1, stringEnd(message, start) - 1);
  let end = start;
  while (end < message.length && end - start < LONGEST_BYTES && isNumberByte(message[end] ?? 0)) end++;
  if (end === start) return undefined;
  const value = Number(decoder.decode(message.subarray(start, end)));
  return Number.isFinite(value) ? value : undefined;
}

/** Behind the closing quote of a string that opens at `start`; the end of the bytes when it is cut. */
function stringEnd(message: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = message.indexOf(QUOTE, at);
    if (quote === -1) return message.length;
    let backslashes = 0;
    while (quote - backslashes > at && message[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function textBetween(message: Uint8Array, start: number, end: number): string | undefined {
  if (end < start || end - start > LONGEST_BYTES) return undefined;
  return decoder.decode(message.subarray(start, end));
}

function skipBlanks(message: Uint8Array, start: number): number {
  let at = start;
  while (message[at] === 0x20 || message[at] === 0x09) at++;
  return at;
}

function isNumberByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e;
}
