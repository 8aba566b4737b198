const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const COMMA = 0x2c;
const COLON = 0x3a;
/** By byte: the change of nesting depth. */
const DEPTH_STEPS = new Int8Array(256);
for (const byte of [OPEN_OBJECT, 0x5b]) DEPTH_STEPS[byte] = 1;
for (const byte of [0x7d, 0x5d]) DEPTH_STEPS[byte] = -1;
const decoder = new TextDecoder('latin1');

/** A field's value, as far as level detection needs it: a short text or a number. */
export type JsonScalar = string | number;

/** Longer texts cannot be the name of a level. */
const MAX_BYTES = 32;

/** Whether a line begins like a JSON object, after blanks. */
export function resemblesJson(message: Uint8Array): boolean {
  return message[skipBlanks(message, 0)] === OPEN_OBJECT;
}

/**
 * Returns short scalar values of the outermost object of a JSON line, for the keys in `wanted`. Reads at most the given
 * bytes and parses nothing else, so that a line of any length costs the same. The line may be incomplete or malformed:
 * the result has what was found up to there.
 */
export function scanJsonFields(
  message: Uint8Array,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, JsonScalar> {
  const found = new Map<string, JsonScalar>();
  let at = skipBlanks(message, 0);
  if (message[at] !== OPEN_OBJECT) return found;
  let depth = 0;
  /** A string at this position is a key of the outermost object. */
  let keyNext = false;
  while (at < message.length) {
    const byte = message[at] ?? 0;
    if (byte === QUOTE) {
      const end = stringEnd(message, at);
      if (keyNext) addField(found, wanted, message, { start: at, end });
      keyNext = false;
      at = end;
      continue;
    }
    const step = DEPTH_STEPS[byte] ?? 0;
    depth += step;
    if (depth === 0) break;
    if (step > 0 || byte === COMMA) keyNext = depth === 1;
    at++;
  }
  return found;
}

/**
 * Adds the field whose key is the string in that range, quotes included, if it is wanted and its value is a short
 * scalar.
 */
function addField(
  found: Map<string, JsonScalar>,
  wanted: ReadonlySet<string>,
  message: Uint8Array,
  string: { readonly start: number; readonly end: number },
): void {
  const colon = skipBlanks(message, string.end);
  if (message[colon] !== COLON) return;
  const key = textBetween(message, string.start + 1, string.end - 1);
  if (key === undefined || !wanted.has(key)) return;
  const value = readScalar(message, skipBlanks(message, colon + 1));
  if (value !== undefined) found.set(key, value);
}

function readScalar(message: Uint8Array, start: number): JsonScalar | undefined {
  if (message[start] === QUOTE) return textBetween(message, start + 1, stringEnd(message, start) - 1);
  let end = start;
  while (end < message.length && end - start < MAX_BYTES && isNumberByte(message[end] ?? 0)) end++;
  if (end === start) return undefined;
  const value = Number(decoder.decode(message.subarray(start, end)));
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Returns the index after the closing quote of a string that opens at `start`; the end of the bytes if the string is
 * incomplete.
 */
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
  if (end < start || end - start > MAX_BYTES) return undefined;
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
