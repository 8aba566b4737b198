import { structureLine } from './structure-line.ts';

/** Characters of a line to read, in UTF-16 units: the beginning shows the meaning. */
export const MAX_WORDED_UNITS = 2_048;
/** Characters of its text to keep. */
const MAX_UNITS = 240;

/** Placeholder for a value. */
const VALUE = '#';
const MASKED = '*';
/** A quoted text; ignores an apostrophe within a word. */
const QUOTED = /"(?:[^"\\]|\\.)*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`/g;
/** Numbers, times, ids and versions contain digits; addresses and paths contain their signs. */
const IS_VALUE = /\d|:\/\/|@|^["'([{<]*\/\S/;
/** An id that happens to contain no digit. */
const HEX = /^[0-9a-f]{8,}$/i;
/** `key=` keeps its key. */
const KEYED = /^([A-Za-z_.-]+=)(?=.)/;
const EDGES = /^[([{<,;]+|[)\]}>.,;:!?]+$/g;

/**
 * Returns the words of a line without its values: masks numbers, times, ids, addresses, paths and quoted texts; for a
 * structured line, uses only its message. Adjacent values count as one. Two lines from the same statement of a program
 * have the same wording, unless a value is a plain word. Linear in the line; never throws.
 */
export function wordingOf(line: string): string {
  const text = line.length > MAX_WORDED_UNITS ? line.slice(0, MAX_WORDED_UNITS) : line;
  const message = messageOf(text).slice(0, MAX_UNITS);
  const tokens = message.replaceAll(QUOTED, VALUE).split(/\s+/);
  return tokens
    .filter((token) => token !== '')
    .map(masked)
    .filter((token, at, all) => token !== VALUE || all[at - 1] !== VALUE)
    .join(' ');
}

/** How many words of a wording may be values, and the minimum number of words for that. */
const MAX_VARIANTS = 12;
const MIN_TOKENS = 3;

/**
 * Returns variants of a wording, each with one of its first words masked: wordings that differ only in that word share
 * a variant. No mask recognizes names of people or products.
 */
export function variantsOf(wording: string): readonly string[] {
  const tokens = wording.split(' ');
  if (tokens.length < MIN_TOKENS) return [];
  return tokens.slice(0, MAX_VARIANTS).flatMap((token, at) => {
    if (token === VALUE) return [];
    return tokens.with(at, MASKED).join(' ');
  });
}

/** Keys that most programs use for their message, in JSON and in logfmt: cheaper than parsing the whole line. */
const JSON_MESSAGE = /"(?:msg|message|@m)"\s*:\s*"((?:[^"\\]|\\.)*)/;
const LOGFMT_MESSAGE = /(?:^|\s)(?:msg|message)=(?:"((?:[^"\\]|\\.)*)|(\S+))/;

function messageOf(text: string): string {
  if (!/^\s*\{/.test(text)) {
    const found = LOGFMT_MESSAGE.exec(text);
    return found?.[1] || found?.[2] || text;
  }
  return JSON_MESSAGE.exec(text)?.[1] || structuredMessage(text) || text;
}

function structuredMessage(text: string): string | undefined {
  return structureLine(text, undefined)
    ?.message.map((piece) => piece.text)
    .join('');
}

function masked(token: string): string {
  const key = KEYED.exec(token)?.[1] ?? '';
  const value = token.slice(key.length);
  if (IS_VALUE.test(value)) return key + VALUE;
  const bare = value.replaceAll(EDGES, '');
  return HEX.test(bare) ? key + VALUE : token.replaceAll(EDGES, '') || VALUE;
}
