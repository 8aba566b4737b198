import { type FilterPlan, LEVELS } from '../../domain/filter.ts';
import { resemblesJson } from '../../domain/json-line.ts';
import type { LogRecord } from '../../domain/record.ts';
import {
  type JudgedLine,
  type LineMatcher,
  levelTest,
  matchTerms,
} from '../../domain/search/line-matcher.ts';
import { type FieldFilter, LINE_FLAGS, type LineSearch } from '../../domain/search/line-search.ts';
import { fieldTerms, parseSearch, type Term } from '../../domain/search/search-query.ts';

/** What the page searches lines for, in addition to the content filters of a plan. */
export interface SearchFilter {
  readonly search: LineSearch | undefined;
  /** All must hold. */
  readonly fields: readonly FieldFilter[];
}

const ESCAPE = 0x1b;

/**
 * A compiled search. One line must meet its conditions on texts and fields; the line's record must meet those on
 * levels.
 */
export interface CompiledSearch {
  /** All must hold. */
  readonly matchers: readonly LineMatcher[];
  /** Whether a level is wanted, as an index of LEVELS (LEVELS.length: none); undefined: all are. */
  readonly levels: ((level: number) => boolean) | undefined;
  /** Whether a line meets the search, without levels; undefined: every line does. */
  readonly finds: ((line: LogRecord) => boolean) | undefined;
  /**
   * Whether a line contains something excluded from it and from the other lines of its record; undefined: none does.
   */
  readonly refuses: ((line: LogRecord) => boolean) | undefined;
}

/** Compiles a person's search, by the rules of the page (domain/search). Skips a regular expression: see patternOf. */
export function compileSearch({ search, fields }: SearchFilter): CompiledSearch {
  const terms = termsOf(search);
  const texts = terms.filter(({ kind }) => kind !== 'level');
  const matchers: LineMatcher[] = [];
  if (search !== undefined && texts.length > 0) matchers.push(matchTerms(texts, search));
  if (fields.length > 0) matchers.push(matchTerms(fieldTerms(fields), { matchCase: true, wholeWord: false }));
  const excluding = matchers.flatMap(({ excludes }) => (excludes === undefined ? [] : [excludes]));
  const refuses = (line: LogRecord) => excluding.some((excludes) => excludes(judgedLine(line)));
  return {
    matchers,
    levels: levelTest(terms),
    finds: matchers.length === 0 ? undefined : findsOf(matchers),
    refuses: excluding.length === 0 ? undefined : refuses,
  };
}

/** Returns the test of a line. Reads only lines that have the bytes that a match contains unchanged. */
function findsOf(matchers: readonly LineMatcher[]): (line: LogRecord) => boolean {
  const needles = matchers
    .flatMap(({ needs }) => needs)
    .flatMap(({ text, ignoreCase }) => (ignoreCase ? [] : [Buffer.from(text, 'utf8')]));
  return (record) => {
    const { message } = record;
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    // Colors may split the text.
    if (needles.some((needle) => !bytes.includes(needle)) && !message.includes(ESCAPE)) return false;
    const line = judgedLine(record);
    return matchers.every((matcher) => matcher.matches(line));
  };
}

/** Returns a line for matchers that do not test its level. */
function judgedLine({ message }: LogRecord): JudgedLine {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('utf8');
  const escapes = message.includes(ESCAPE) ? LINE_FLAGS.escapes : 0;
  return { text, level: LEVELS.length, flags: escapes | (resemblesJson(message) ? LINE_FLAGS.json : 0) };
}

function termsOf(search: LineSearch | undefined): readonly Term[] {
  return search === undefined || search.regex ? [] : parseSearch(search.text);
}

/** Returns the pattern of a search by regular expression, for a filter to compile; undefined if it is empty. */
export function patternOf(
  search: LineSearch | undefined,
): Pick<FilterPlan, 'grep' | 'ignoreCase'> | undefined {
  if (search === undefined || !search.regex || search.text.trim() === '') return undefined;
  const { text, wholeWord, matchCase } = search;
  return { grep: wholeWord ? `\\b(?:${text})\\b` : text, ignoreCase: !matchCase };
}
