import { parseJsonLine } from './parse-json-line.ts';
import { type FoundField, MAX_FIELDS, type Piece, pieceOf } from './structured-line.ts';

/** Maximum depth of objects to split; deeper ones, and lists, keep their JSON as the value. */
const MAX_DEPTH = 4;

/**
 * Returns the fields of a line that is one JSON object, with their positions; undefined if it is not one, or has more
 * than MAX_FIELDS. Reads the line twice: once to verify the JSON, once from left to right for the positions.
 */
export function jsonFields(text: string): readonly FoundField[] | undefined {
  const start = skipBlanks(text, 0);
  if (text[start] !== '{' || parseJsonLine(text) === undefined) return undefined;
  const reader = new JsonReader(text);
  reader.object(start, undefined, 1);
  return reader.isFull ? undefined : reader.fields;
}

/** Reads text that is valid JSON, so it needs no error handling. */
class JsonReader {
  readonly fields: FoundField[] = [];
  isFull = false;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Adds the fields of the object at `open`. Undefined path: the outermost object. Returns the offset after it. */
  object(open: number, path: string | undefined, depth: number): number {
    let at = this.#skip(open + 1);
    while (this.#text[at] === '"' && !this.isFull) {
      const keyEnd = stringEnd(this.#text, at);
      const own = decode(this.#text, at, keyEnd);
      const key = path === undefined ? own : `${path}.${own}`;
      at = this.#skip(this.#member(at, this.#skip(this.#skip(keyEnd) + 1), key, depth));
      if (this.#text[at] === ',') at = this.#skip(at + 1);
    }
    return at + 1;
  }

  /** Adds the field, or the fields of the object that is its value. Returns the offset after it. */
  #member(keyStart: number, valueStart: number, key: string, depth: number): number {
    const first = this.#text[valueStart];
    const isEmpty = this.#text[this.#skip(valueStart + 1)] === '}';
    if (first === '{' && depth < MAX_DEPTH && !isEmpty) return this.object(valueStart, key, depth + 1);
    if (this.fields.length === MAX_FIELDS) {
      this.isFull = true;
      return this.#text.length;
    }
    const isNested = depth > 1;
    const end = valueEnd(this.#text, valueStart);
    const field =
      first === '"'
        ? {
            value: decode(this.#text, valueStart, end),
            shown: stringPieces(this.#text, valueStart + 1, end - 1),
          }
        : {
            value: this.#text.slice(valueStart, end),
            shown: [pieceOf(this.#text, valueStart, end)],
          };
    this.fields.push({ key, ...field, start: keyStart, end, isNested });
    return end;
  }

  #skip(at: number): number {
    return skipBlanks(this.#text, at);
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r' || text[at] === '\n') at++;
  return at;
}

/** Returns the offset after the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === '{' || first === '[') return nestedEnd(text, start);
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++;
  return at;
}

const DEPTH_STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** Returns the offset after the object or list that opens at `start`. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const sign = text[at] ?? '';
    depth += DEPTH_STEPS[sign] ?? 0;
    at = sign === '"' ? stringEnd(text, at) : at + 1;
  } while (depth > 0 && at < text.length);
  return at;
}

/** Decodes the string between two offsets, quotes included. */
function decode(text: string, start: number, end: number): string {
  const raw = text.slice(start, end);
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[^u])/g;

/** Returns the inside of a string to show: escapes decoded, unless the characters are invisible. */
export function stringPieces(text: string, start: number, end: number): readonly Piece[] {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return [{ start, end, text: raw }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of raw.matchAll(ESCAPE)) {
    const decoded = visibleEscape(found);
    if (decoded === undefined) continue;
    if (index > from) pieces.push(pieceOf(text, start + from, start + index));
    from = index + found.length;
    pieces.push({ start: start + index, end: start + from, text: decoded });
  }
  if (start + from < end) pieces.push(pieceOf(text, start + from, end));
  return pieces;
}

/** Returns the decoded escape; undefined: shown as written, like line breaks. */
function visibleEscape(written: string): string | undefined {
  if (written === '\\"' || written === '\\\\' || written === '\\/') return written.slice(1);
  if (!written.startsWith('\\u')) return undefined;
  const decoded = JSON.parse(`"${written}"`) as string;
  return /^[\p{L}\p{N}\p{P}\p{S}\p{M}]+$/u.test(decoded) ? decoded : undefined;
}
