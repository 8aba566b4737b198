import { type FilterPlan, LEVELS } from '../../domain/filter.ts';
import { resemblesJson } from '../../domain/json-line.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type LineMatcher, matchTerms } from '../../domain/search/line-matcher.ts';
import { type FieldFilter, LINE_FLAGS, type LineSearch } from '../../domain/search/line-search.ts';
import { fieldTerms, parseSearch, type Term } from '../../domain/search/search-query.ts';

/** What the page searches lines for, beside the content filters of a plan. */
export interface SearchFilter {
  readonly search: LineSearch | undefined;
  /** All must hold. */
  readonly fields: readonly FieldFilter[];
}

const ESCAPE = 0x1b;

/** What a search asks of a line, by its terms and by its fields: all must hold. None if every line is found. */
export function searchMatchers({ search, fields }: SearchFilter): readonly LineMatcher[] {
  const terms = termsOf(search);
  const matchers: LineMatcher[] = [];
  if (search !== undefined && terms.length > 0) matchers.push(matchTerms(terms, search));
  if (fields.length > 0) matchers.push(matchTerms(fieldTerms(fields), { matchCase: true, wholeWord: false }));
  return matchers;
}

/**
 * Whether a record is what a person searched for, by the rules of the page (domain/search); undefined if every record
 * is. A regular expression is none of its business: see patternOf.
 */
export function compileSearch(filter: SearchFilter): ((record: LogRecord) => boolean) | undefined {
  const matchers = searchMatchers(filter);
  if (matchers.length === 0) return undefined;
  const { search } = filter;
  const terms = termsOf(search);
  const needles = search?.matchCase === true ? terms.flatMap(bytesOf) : [];
  const needsLevel = matchers.some(({ levels }) => levels !== undefined);
  return ({ message }) => {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const hasEscapes = message.includes(ESCAPE);
    // Colors may split the text.
    if (!hasEscapes && needles.some((needle) => !bytes.includes(needle))) return false;
    const level = needsLevel ? levelIndex(message) : LEVELS.length;
    if (matchers.some(({ levels }) => levels?.(level) === false)) return false;
    const flags = (hasEscapes ? LINE_FLAGS.escapes : 0) | (resemblesJson(message) ? LINE_FLAGS.json : 0);
    const line = { text: bytes.toString('utf8'), level, flags };
    return matchers.every((matcher) => matcher.matches(line));
  };
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
