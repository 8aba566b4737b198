import { stripSgrText } from '../ansi.ts';
import { LEVELS } from '../filter.ts';
import { parseJsonLine } from '../structured/parse-json-line.ts';
import { MAX_UNITS } from '../structured/structured-line.ts';
import { textFields, UNWRITTEN_KEYS } from '../structured/text-heads.ts';
import { pathsOf, readsLike, valuesAt } from './json-path.ts';
import { LINE_FLAGS } from './line-search.ts';
import type { Term } from './search-query.ts';

/** The parts of a line that a search examines. */
export interface JudgedLine {
  readonly text: string;
  readonly level: number;
  readonly flags: number;
}

export type HitSpan = readonly [start: number, end: number];

/** A text to find in many lines at once. */
export interface Needle {
  /** In lowercase if the case does not matter (ASCII only). */
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Beyond this number, the search reads line by line. */
const MAX_NEEDS = 200;

/** A compiled search. */
export interface LineMatcher {
  readonly matches: (line: JudgedLine) => boolean;
  /**
   * Whether a line contains something that rules out a match of the line, and of any multiline record around it;
   * undefined: no such test.
   */
  readonly excludes?: ((line: JudgedLine) => boolean) | undefined;
  /** UTF-16 offsets of the highlights, in the text without ANSI sequences; ascending, none inside another. */
  readonly spans: (plain: string) => readonly HitSpan[];
  /** A matching line contains all of these. */
  readonly needs: readonly Needle[];
  /** A matching line contains none of these. */
  readonly refuses: readonly Needle[];
  /** By index of the level; undefined: any. */
  readonly levels: ((level: number) => boolean) | undefined;
  /** Lines that pass `needs`, `refuses` and `levels` must still be examined one by one. */
  readonly mustConfirm: boolean;
}

export interface TermOptions {
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** Returns a matcher of words, levels and JSON fields: all terms must hold. */
export function matchTerms(terms: readonly Term[], options: TermOptions): LineMatcher {
  const { matchCase, wholeWord } = options;
  const texts = terms.filter((term) => term.kind === 'text');
  const fields = terms.filter((term) => term.kind === 'json');
  const tests = texts.map((one) => ({ not: one.not, test: termTest(one.text, options) }));
  const marks = texts.filter((one) => !one.not).map((one) => termPattern(one.text, options, 'g'));
  const levels = levelTest(terms);
  const needs: Needle[] = [];
  const refuses: Needle[] = [];
  let mustConfirm = fields.length > 0;
  for (const one of texts) {
    const needle = needleOf(one.text, matchCase);
    if (needle === undefined || (wholeWord && one.not)) mustConfirm = true;
    else (one.not ? refuses : needs).push(needle);
    if (wholeWord) mustConfirm = true;
  }
  for (const field of fields) {
    const key = keyNeedle(field.path);
    if (!field.not && key !== undefined) needs.push(key);
  }
  if (needs.length > MAX_NEEDS) mustConfirm = true;

  return {
    needs: needs.slice(0, MAX_NEEDS),
    refuses,
    levels,
    mustConfirm,
    matches: ({ text, level, flags }) => {
      if (levels?.(level) === false) return false;
      const plain = (flags & LINE_FLAGS.escapes) === 0 ? text : stripSgrText(text).text;
      for (const { not, test } of tests) if (test(plain) === not) return false;
      if (fields.length === 0) return true;
      const hasField = fieldTest({ text: plain, flags }, matchCase);
      return fields.every((field) => hasField(field) !== field.not);
    },
    excludes: excludesOf(tests, fields, matchCase),
    spans: (plain) => joinSpans(marks.flatMap((mark) => [...plain.matchAll(mark)].map(spanOf))),
  };
}

/** Whether a line has a field, with any value. */
export function hasField({ text, flags }: Omit<JudgedLine, 'level'>, path: string): boolean {
  const plain = (flags & LINE_FLAGS.escapes) === 0 ? text : stripSgrText(text).text;
  const json = (flags & LINE_FLAGS.json) === 0 ? undefined : parseJsonLine(plain);
  return (json === undefined ? textValues(plain, path) : valuesAt(json, path)).length > 0;
}

/** Returns the names of a line's fields. */
export function fieldNamesOf({ text, flags }: Omit<JudgedLine, 'level'>): readonly string[] {
  const plain = (flags & LINE_FLAGS.escapes) === 0 ? text : stripSgrText(text).text;
  const json = (flags & LINE_FLAGS.json) === 0 ? undefined : parseJsonLine(plain);
  if (json !== undefined) return [...pathsOf(json, MAX_NAMES)];
  return plain.length > MAX_UNITS ? [] : (textFields(plain)?.fields ?? []).map(({ key }) => key);
}

const MAX_NAMES = 100;

/** Returns the values of a key in a line that is not JSON: of its head, and of its pairs. */
function textValues(plain: string, key: string): readonly string[] {
  // Parsing a line takes long, and most lines lack the key.
  const needle = keyNeedle(key)?.text ?? '';
  if (plain.length > MAX_UNITS || !plain.includes(needle)) return [];
  const fields = textFields(plain)?.fields ?? [];
  return fields.flatMap((field) => (field.key === key ? [field.value] : []));
}

type FieldTerm = Extract<Term, { readonly kind: 'json' }>;

/** Whether a line, given without colors, has a field with a value. */
function fieldTest(
  { text, flags }: Omit<JudgedLine, 'level'>,
  matchCase: boolean,
): (field: FieldTerm) => boolean {
  const json = (flags & LINE_FLAGS.json) === 0 ? undefined : parseJsonLine(text);
  return ({ path, value }) => {
    const values = json === undefined ? textValues(text, path) : valuesAt(json, path);
    return values.some((each) => readsLike(each, value, matchCase, text));
  };
}

/** Whether a line has an excluded text or field; undefined: nothing is excluded. */
function excludesOf(
  tests: readonly { readonly not: boolean; readonly test: (plain: string) => boolean }[],
  fields: readonly FieldTerm[],
  matchCase: boolean,
): LineMatcher['excludes'] {
  const texts = tests.filter(({ not }) => not);
  const refused = fields.filter(({ not }) => not);
  if (texts.length + refused.length === 0) return undefined;
  return ({ text, flags }) => {
    const plain = (flags & LINE_FLAGS.escapes) === 0 ? text : stripSgrText(text).text;
    if (texts.some(({ test }) => test(plain))) return true;
    return refused.length > 0 && refused.some(fieldTest({ text: plain, flags }, matchCase));
  };
}

/** Returns a needle for searching whole chunks of bytes; undefined if bytes cannot decide (Ä and ä). */
export function needleOf(text: string, matchCase: boolean): Needle | undefined {
  if (text === '' || /\p{Cs}/u.test(text)) return undefined;
  if (matchCase) return { text, ignoreCase: false };
  return isAscii(text) ? { text: text.toLowerCase(), ignoreCase: true } : undefined;
}

/** Sorts and merges spans that overlap. */
export function joinSpans(spans: readonly HitSpan[]): readonly HitSpan[] {
  const joined: [number, number][] = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last === undefined || start > last[1]) joined.push([start, end]);
    else if (end > last[1]) last[1] = end;
  }
  return joined;
}

function termTest(text: string, options: TermOptions): (plain: string) => boolean {
  if (options.matchCase && !options.wholeWord) return (plain) => plain.includes(text);
  const pattern = termPattern(text, options, '');
  return (plain) => pattern.test(plain);
}

/**
 * Omits the flag `u`, so that no ASCII letter equals one beyond ASCII (the Kelvin sign and k): bytes and pattern agree.
 * The text is escaped: such a pattern takes linear time.
 */
function termPattern(text: string, { matchCase, wholeWord }: TermOptions, flags: string): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const source = wholeWord ? `(?<![\\w\\u00aa-\\u{10ffff}])${escaped}(?![\\w\\u00aa-\\u{10ffff}])` : escaped;
  return new RegExp(wholeWord ? toUnits(source) : source, `${flags}${matchCase ? '' : 'i'}`);
}

/** Treats letters beyond ASCII as parts of words, surrogates too. */
function toUnits(source: string): string {
  return source.replaceAll(
    '\\u00aa-\\u{10ffff}',
    '\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\udfff\\uf900-\\uffdc',
  );
}

function spanOf(match: RegExpExecArray): HitSpan {
  return [match.index, match.index + match[0].length];
}

/** Returns a test of levels, as indexes of LEVELS (LEVELS.length: none); undefined if no term restricts the level. */
export function levelTest(terms: readonly Term[]): ((level: number) => boolean) | undefined {
  const wanted = terms.filter((term) => term.kind === 'level');
  if (wanted.length === 0) return undefined;
  return (level) => wanted.every(({ levels, not }) => levels.includes(LEVELS[level] ?? 'none') !== not);
}

/**
 * Returns a needle for the last key of the path; undefined if a line may have the key without writing it. A line writes
 * it unchanged, except with escapes.
 */
function keyNeedle(path: string): Needle | undefined {
  if (UNWRITTEN_KEYS.has(path)) return undefined;
  const key =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? '';
  return /^[\w-]+$/.test(key) ? { text: key, ignoreCase: false } : undefined;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
