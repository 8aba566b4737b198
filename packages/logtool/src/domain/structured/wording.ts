import { structureLine } from './structure-line.ts';

/** Reads no more of a line, in UTF-16 units: what it says shows at its beginning. */
export const MAX_WORDED_UNITS = 2_048;
/** And keeps no more of what it says. */
const MAX_UNITS = 240;

/** What stands for a value. */
const VALUE = '#';
const MASKED = '*';
/** A text in quotes; an apostrophe within a word is none. */
const QUOTED = /"(?:[^"\\]|\\.)*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`/g;
/** Numbers, times, ids and versions have digits; addresses and paths their signs. */
const IS_VALUE = /\d|:\/\/|@|^["'([{<]*\/\S/;
/** An id that happens to have no digit. */
const HEX = /^[0-9a-f]{8,}$/i;
/** `key=` keeps its key. */
const KEYED = /^([A-Za-z_.-]+=)(?=.)/;
const EDGES = /^[([{<,;]+|[)\]}>.,;:!?]+$/g;

/**
 * The words of a line without the values in it: numbers, times, ids, addresses, paths and quoted texts are masked; of a
 * structured line only its message counts. Values side by side are one. Two lines that a program writes by the same statement have the same, unless a
 * value is a plain word. Linear in the line, and never throws.
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

/** Words of a wording that may be values, and words that one must have for that. */
const MAX_VARIANTS = 12;
const MIN_TOKENS = 3;

/**
 * A wording with one of its words masked, for each of the first: those that differ only in that word have it in common. Names of
 * people or products are words that no mask knows.
 */
export function variantsOf(wording: string): readonly string[] {
  const tokens = wording.split(' ');
  if (tokens.length < MIN_TOKENS) return [];
  return tokens.slice(0, MAX_VARIANTS).flatMap((token, at) => {
    if (token === VALUE) return [];
    return tokens.with(at, MASKED).join(' ');
  });
}

/** Names that most programs give their message, in JSON and in logfmt: what costs less than all of the line. */
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
