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

/** Keys to look for in JSON lines. Its bytes rule most keys of a line out without decoding them. */
export class WantedKeys {
  readonly #exact: ReadonlySet<string>;
  readonly #anyCase: ReadonlySet<string>;
  /** By the first byte of a key: a bit for each length in bytes. */
  readonly #lengths = new Uint32Array(256);
  /** Keys whose value may be an object with wanted keys of its own. */
  readonly inner: ReadonlyMap<string, WantedKeys>;

  /** `exact`: as written. `anyCase`: in lower case; matches any letter case. All are ASCII, of at most 31 bytes. */
  constructor(
    exact: readonly string[],
    anyCase: readonly string[] = [],
    inner: ReadonlyMap<string, WantedKeys> = new Map(),
  ) {
    this.#exact = new Set([...exact, ...inner.keys()]);
    this.#anyCase = new Set(anyCase);
    this.inner = inner;
    for (const key of this.#exact) this.#addLength(key, key.charCodeAt(0));
    for (const key of anyCase)
      for (const first of [key, key.toUpperCase()]) this.#addLength(key, first.charCodeAt(0));
  }

  #addLength(key: string, first: number): void {
    this.#lengths[first] = (this.#lengths[first] ?? 0) | (1 << key.length);
  }

  /** Returns the key in these bytes if it is wanted, as written. */
  find(message: Uint8Array, start: number, end: number): string | undefined {
    const lengths = this.#lengths[message[start] ?? 0] ?? 0;
    if (end - start >= MAX_BYTES || ((lengths >>> (end - start)) & 1) === 0) return undefined;
    const key = textBetween(message, start, end) ?? '';
    return this.#exact.has(key) || this.#anyCase.has(key.toLowerCase()) ? key : undefined;
  }
}

/** Whether a line begins like a JSON object, after blanks. */
export function resemblesJson(message: Uint8Array): boolean {
  return message[skipBlanks(message, 0)] === OPEN_OBJECT;
}

/**
 * Returns short scalar values of the outermost object of a JSON line, for the keys in `wanted`; undefined for other
 * values. The value at `key/inner` is that of a key in an object. Reads at most the given bytes and parses nothing
 * else, so that a line of any length costs the same. The line may be incomplete or malformed: the result has what was
 * found up to there.
 */
export function scanJsonFields(
  message: Uint8Array,
  wanted: WantedKeys,
): ReadonlyMap<string, JsonScalar | undefined> {
  const found = new Map<string, JsonScalar | undefined>();
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

/** Adds the field whose key is the string in that range, quotes included, if it is wanted. */
function addField(
  found: Map<string, JsonScalar | undefined>,
  wanted: WantedKeys,
  message: Uint8Array,
  string: { readonly start: number; readonly end: number },
): void {
  const key = wanted.find(message, string.start + 1, string.end - 1);
  if (key === undefined) return;
  const colon = skipBlanks(message, string.end);
  if (message[colon] !== COLON) return;
  const start = skipBlanks(message, colon + 1);
  const value = readScalar(message, start);
  if (value !== undefined || !found.has(key)) found.set(key, value);
  const inner = message[start] === OPEN_OBJECT ? wanted.inner.get(key) : undefined;
  if (inner === undefined) return;
  for (const [own, each] of scanJsonFields(message.subarray(start), inner)) found.set(`${key}/${own}`, each);
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
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(message[at] ?? 0);
  return text;
}

function skipBlanks(message: Uint8Array, start: number): number {
  let at = start;
  while (message[at] === 0x20 || message[at] === 0x09) at++;
  return at;
}

function isNumberByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e;
}
