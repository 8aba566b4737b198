import { editDistance } from '@logtool/kube/src/values/near-names.ts';
import { LEVELS, type Level } from '../filter.ts';
import { levelOfName } from '../level-names.ts';
import { COMPARISON } from './json-path.ts';
import type { FieldFilter } from './line-search.ts';

/** One part of a search; all must hold. */
export type Term =
  | { readonly kind: 'text'; readonly text: string; readonly not: boolean }
  | { readonly kind: 'level'; readonly levels: readonly (Level | 'none')[]; readonly not: boolean }
  | { readonly kind: 'json'; readonly path: string; readonly value: string; readonly not: boolean };

const TERM = /(-?)(?:(@[^\s:"]+):(?:"((?:[^"\\]|\\.)*)"?|(\S*))|"((?:[^"\\]|\\.)*)"?|(\S+))/gy;

/**
 * Reads a search as typed: words (all must occur), `"quoted words"`, `-word`, `@level:error,warn`, `@json.path:value`
 * (`@path:value` for short). Never fails: anything else is a word. A level may be the beginning of its name, or `none`;
 * a bare `@level:` is unfinished and has no effect yet. A backslash in quotes makes the next character literal.
 */
export function parseSearch(text: string): readonly Term[] {
  const terms: Term[] = [];
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const blank = /\s*/y;
    blank.lastIndex = TERM.lastIndex;
    blank.exec(text);
    TERM.lastIndex = blank.lastIndex;
    const match = TERM.exec(text);
    if (match === null) break;
    const term = termOf(match);
    if (term !== undefined) terms.push(term);
  }
  return terms;
}

/** A level that no line has, and its offset in the search, in UTF-16 units. */
export interface UnknownLevel {
  readonly code: 'unknown-level';
  readonly index: number;
  readonly value: string;
}

/** A key that nearly matches one of the search's own, and its name's offset in the search, in UTF-16 units. */
export interface UnknownKey {
  readonly code: 'unknown-key';
  readonly index: number;
  readonly name: string;
  readonly near: string;
}

/** A comparison with something that is no number, and the offset of its value in the search, in UTF-16 units. */
export interface NoNumber {
  readonly code: 'no-number';
  readonly index: number;
  readonly name: string;
  /** With its operator. */
  readonly value: string;
}

export type TermFault = UnknownLevel | UnknownKey | NoNumber;

/** Returns the first fault that would make a search silently find nothing; undefined if none is known. */
export function findTermFault(text: string): TermFault | undefined {
  const faults = [findUnknownLevel(text), findUnknownKey(text), findNoNumber(text)].filter(
    (fault) => fault !== undefined,
  );
  return faults.sort((a, b) => a.index - b.index)[0];
}

/**
 * Finds the first key one letter away from a built-in key: `@levle:error`. A field of that name can be searched as
 * `@json.levle`. A different letter case is not a mistake: programs write `Level`.
 */
function findUnknownKey(text: string): UnknownKey | undefined {
  for (const match of text.matchAll(KEY_TERM)) {
    const [whole, name = ''] = match;
    const near = OWN_KEYS.find(
      (key) => key !== name.toLowerCase() && editDistance(key, name, 1) !== undefined,
    );
    if (near !== undefined)
      return { code: 'unknown-key', index: match.index + whole.length - name.length, name, near };
  }
  return undefined;
}

/** Finds the first `@field:>abc`. Programs write values such as `<nil>`, which are texts. */
function findNoNumber(text: string): NoNumber | undefined {
  for (const match of text.matchAll(COMPARING_TERM)) {
    const [whole, name = '', value = ''] = match;
    if (!COMPARISON.test(value) && !/^<.*>$/.test(value))
      return { code: 'no-number', index: match.index + whole.length - value.length, name, value };
  }
  return undefined;
}

/** `@name:>` and what follows, unquoted, where a term may begin. */
const COMPARING_TERM = /(?<=^|\s)-?@([^\s:"]+):([<>]\S*)/g;

/** Returns the first term such as `@trace_id` that names no value, so that it is searched as text: its name. */
export function keyWithoutValue(text: string): string | undefined {
  return /(?<=^|\s)-?@([\w.-]+)(?=\s|$)/.exec(text.replaceAll(QUOTED, '""'))?.[1];
}

const QUOTED = /"(?:[^"\\]|\\.)*"?/g;

const OWN_KEYS = ['level'] as const;
/** `@name` before its colon, where a term may begin. */
const KEY_TERM = /(?<=^|\s)-?@([^\s:".]+)(?=:)/g;

/**
 * Finds the first level of a search that is neither a level nor the beginning of one: `@level:erorr` would silently
 * find nothing.
 */
function findUnknownLevel(text: string): UnknownLevel | undefined {
  for (const match of text.matchAll(LEVEL_TERM)) {
    const [whole, values = ''] = match;
    let index = match.index + whole.length - values.length;
    for (const value of values.split(',')) {
      if (value !== '' && levelsOf(value).length === 0) return { code: 'unknown-level', index, value };
      index += value.length + 1;
    }
  }
  return undefined;
}

/** `@level:` where a term may begin, with unquoted values. */
const LEVEL_TERM = /(?<=^|\s)-?@level:([^\s"]+)/g;

/** Returns the fields that lines must have, or must not have, as terms of a search. */
export function fieldTerms(fields: readonly FieldFilter[]): readonly Term[] {
  return fields.map(({ path, value, exclude }) => ({ kind: 'json', path, value, not: exclude }));
}

/** Returns the term of a match of TERM; undefined if it is unfinished. */
function termOf([whole, dash, name, quotedValue, bareValue, quoted, bare = '']: RegExpExecArray):
  | Term
  | undefined {
  const not = dash === '-' && whole !== '-';
  if (name !== undefined) return namedTerm(name.slice(1), unescaped(quotedValue ?? bareValue ?? ''), not);
  if (quoted === undefined) return { kind: 'text', text: not ? bare : `${dash}${bare}`, not };
  return quoted === '' ? undefined : { kind: 'text', text: unescaped(quoted), not };
}

/** Returns the term of `@NAME:value`. */
function namedTerm(name: string, value: string, not: boolean): Term | undefined {
  if (name !== 'level') return jsonTerm(name, value, not);
  return value === '' ? undefined : { kind: 'level', levels: levelsOf(value), not };
}

/** Reads `error,warn`. */
function levelsOf(value: string): readonly (Level | 'none')[] {
  const items = value.split(',').filter((item) => item !== '');
  return items.flatMap((item) => {
    const known = levelOfName(item);
    if (known !== undefined) return known;
    return ([...LEVELS, 'none'] as const).filter((level) => level.startsWith(item.toLowerCase()));
  });
}

function jsonTerm(name: string, value: string, not: boolean): Term {
  return { kind: 'json', path: name.startsWith('json.') ? name.slice(5) : name, value, not };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
