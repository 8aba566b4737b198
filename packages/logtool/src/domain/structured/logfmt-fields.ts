import { stringPieces } from './json-fields.ts';
import { type FoundField, MAX_FIELDS, pieceOf } from './structured-line.ts';

/** The pairs at the end of a line (`key=value key="a value"`), and where they begin. */
export interface Pairs {
  /** Where the first pair begins; text precedes it. */
  readonly start: number;
  readonly fields: readonly FoundField[];
}

const KEY = /[A-Za-z_@][\w.@/-]{0,63}=/y;
const BARE = /[^\s"]\S*/y;
const BLANKS = /\s*/y;
const TOKEN = /\S*/y;
/** With this many unclosed quotes it is not logfmt: each of them costs reading the rest of the line. */
const MAX_OPEN_QUOTES = 16;

/**
 * Returns the pairs at the end of a text, from an offset on. Undefined: it does not end in pairs, or has more than
 * MAX_FIELDS.
 */
export function trailingPairs(text: string, from: number): Pairs | undefined {
  let fields: FoundField[] = [];
  let start = from;
  let openQuotes = 0;
  for (let at = endOf(BLANKS, text, from); at < text.length; ) {
    const field = pairAt(text, at);
    if (typeof field === 'object') {
      if (fields.length === 0) start = at;
      fields.push(field);
      at = endOf(BLANKS, text, field.end);
    } else {
      if (field === 'open' && ++openQuotes > MAX_OPEN_QUOTES) return undefined;
      fields = [];
      at = endOf(BLANKS, text, endOf(TOKEN, text, at));
    }
    if (fields.length > MAX_FIELDS) return undefined;
  }
  return fields.length === 0 ? undefined : { start, fields };
}

/** Returns the pair at `start`. 'open': its value begins with an unclosed quote. */
function pairAt(text: string, start: number): FoundField | 'open' | undefined {
  const valueStart = endOf(KEY, text, start);
  if (valueStart === start) return undefined;
  const key = text.slice(start, valueStart - 1);
  if (text[valueStart] === '"') {
    const end = closingQuote(text, valueStart) + 1;
    if (end === 0) return 'open';
    if (end < text.length && !/\s/.test(text[end] ?? '')) return undefined;
    return {
      key,
      value: decodeQuoted(text.slice(valueStart, end)),
      shown: stringPieces(text, valueStart + 1, end - 1),
      start,
      end,
      isNested: false,
    };
  }
  const end = endOf(BARE, text, valueStart);
  // `SET a=1, b=2` is a sentence.
  if (text[end - 1] === ',' && end < text.length) return undefined;
  return {
    key,
    value: text.slice(valueStart, end),
    shown: [pieceOf(text, valueStart, end)],
    start,
    end,
    isNested: false,
  };
}

/** Returns the offset of the closing quote for one at `start`; -1 if none. */
export function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}

/** Decodes a quoted value as JSON; returns it as written if it is not JSON (Go writes `\x00`). */
export function decodeQuoted(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Returns the end of a sticky pattern's match at an offset; that offset if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
