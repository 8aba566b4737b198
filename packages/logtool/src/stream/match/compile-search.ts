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

/** What the page searches lines for, beside the content filters of a plan. */
export interface SearchFilter {
  readonly search: LineSearch | undefined;
  /** All must hold. */
  readonly fields: readonly FieldFilter[];
}

const ESCAPE = 0x1b;

/** A search, compiled. What it asks of texts and fields one line must have; what it asks of levels, their record. */
export interface CompiledSearch {
  /** All must hold. */
  readonly matchers: readonly LineMatcher[];
  /** Whether a level is wanted, an index of LEVELS (LEVELS.length: none); undefined: all are. */
  readonly levels: ((level: number) => boolean) | undefined;
  /** Whether a line has what is searched for, levels aside; undefined: every line has. */
  readonly finds: ((line: LogRecord) => boolean) | undefined;
  /** Whether a line has what neither it nor another line of its record may have; undefined: none has. */
  readonly refuses: ((line: LogRecord) => boolean) | undefined;
}

/**
 * Compiles what a person searches for, by the rules of the page (domain/search). A regular expression is none of its
 * business: see patternOf.
 */
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
    finds: matchers.length === 0 ? undefined : findsOf(matchers, search?.matchCase === true ? texts : []),
    refuses: excluding.length === 0 ? undefined : refuses,
  };
}

/** `exact`: terms whose bytes a line must have as they are. */
function findsOf(matchers: readonly LineMatcher[], exact: readonly Term[]): (line: LogRecord) => boolean {
  const needles = exact.flatMap(bytesOf);
  return (record) => {
    const { message } = record;
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    // Colors may split the text.
    if (needles.some((needle) => !bytes.includes(needle)) && !message.includes(ESCAPE)) return false;
    const line = judgedLine(record);
    return matchers.every((matcher) => matcher.matches(line));
  };
}

/** A line as matchers take it, which ask nothing of its level. */
function judgedLine({ message }: LogRecord): JudgedLine {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('utf8');
  const escapes = message.includes(ESCAPE) ? LINE_FLAGS.escapes : 0;
  return { text, level: LEVELS.length, flags: escapes | (resemblesJson(message) ? LINE_FLAGS.json : 0) };
}

function termsOf(search: LineSearch | undefined): readonly Term[] {
  return search === undefined || search.regex ? [] : parseSearch(search.text);
}

/** The pattern of a search by regular expression, as a filter compiles it; undefined if it searches for nothing yet. */
export function patternOf(
  search: LineSearch | undefined,
): Pick<FilterPlan, 'grep' | 'ignoreCase'> | undefined {
  if (search === undefined || !search.regex || search.text.trim() === '') return undefined;
  const { text, wholeWord, matchCase } = search;
  return { grep: wholeWord ? `\\b(?:${text})\\b` : text, ignoreCase: !matchCase };
}

/** What a line with this term has in its bytes. A lone surrogate has no bytes of its own. */
function bytesOf(term: Term): readonly Buffer[] {
  const isNeeded = term.kind === 'text' && !term.not && !/\p{Cs}/u.test(term.text);
  return isNeeded ? [Buffer.from(term.text, 'utf8')] : [];
}
