import { GoError } from '../../../template/errors.ts';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
} from '../../../template/function.ts';
import { canBackquote, quote } from '../../../value/quote.ts';
import { nilList, typed } from '../../../value/type.ts';
import type { Value } from '../../../value/value.ts';
import {
  allMatches,
  compileRegexp,
  expand,
  firstMatch,
  type GoRegexp,
  type Match,
  replaceMatches,
} from './go-regexp.ts';

type Compile = (text: string) => GoRegexp;

/** Like Go's MustCompile: the panic names the pattern. */
const compileOrPanic: Compile = (text) => {
  try {
    return compileRegexp(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(
      `regexp: Compile(${canBackquote(text) ? `\`${text}\`` : quote(text)}): ${error.message}`,
    );
  }
};

const texts = (groups: string[] | undefined): Value[] =>
  groups === undefined ? nilList('[]string') : typed<Value[]>(groups, '[]string');

const limitOf = (count: bigint, text: string) => (count < 0n ? text.length + 1 : Number(count));

type List = (regexp: GoRegexp, text: string, count: bigint, onMatch: () => void) => string[] | undefined;

const findAll: List = (regexp, text, count, onMatch) => {
  const matches = allMatches(regexp, text, limitOf(count, text), onMatch);
  const found = matches.map((match) => match.group(0) ?? '');
  return found.length === 0 ? undefined : found;
};

const split: List = (regexp, text, count, onMatch) => {
  if (count === 0n) return undefined;
  if (text === '' && regexp.pattern.pattern() !== '') return [''];
  const most = limitOf(count, text);
  const texts: string[] = [];
  let from = 0;
  let end = 0;
  for (const match of allMatches(regexp, text, most, onMatch)) {
    if (count > 0n && texts.length >= most - 1) break;
    end = match.start;
    if (match.end !== 0) texts.push(text.slice(from, end));
    from = match.end;
  }
  return end === text.length ? texts : [...texts, text.slice(from)];
};

/** The number of pattern instructions tried at one character that cost as much as a character of output. */
const INSTRUCTIONS_A_UNIT = 2;
/** The cost of a match, in characters: the match and its groups take memory, and the next search starts over. */
const MATCH_UNITS = 64;

/** Charges for a search: at worst it tries each instruction of the pattern at each character. */
function chargeSearch(call: FunctionCall, regexp: GoRegexp, text: string): void {
  call.charge(text.length * (1 + regexp.pattern.programSize() / INSTRUCTIONS_A_UNIT));
}

/**
 * Makes the functions for one way to treat an invalid pattern: a panic, or an error for names that start with `must`.
 */
function family(compile: Compile) {
  const replacing = (make: (regexp: GoRegexp, replacement: string, match: Match) => string) =>
    goFunction(['string', 'string', 'string'], 'string', (call: FunctionCall, pattern, text, replacement) => {
      const regexp = compile(pattern);
      chargeSearch(call, regexp, text);
      return replaceMatches(regexp, text, (match) => {
        const made = make(regexp, replacement, match);
        call.charge(made.length + MATCH_UNITS);
        return made;
      });
    });
  const listing = (list: List) =>
    goFunction(['string', 'string', 'int'], '[]string', (call: FunctionCall, pattern, text, count) => {
      const regexp = compile(pattern);
      chargeSearch(call, regexp, text);
      return texts(list(regexp, text, count.value, () => call.charge(MATCH_UNITS)));
    });
  return {
    find: goFunction(['string', 'string'], 'string', (call, pattern, text) => {
      const regexp = compile(pattern);
      chargeSearch(call, regexp, text);
      return firstMatch(regexp, text);
    }),
    findAll: listing(findAll),
    split: listing(split),
    replaceAll: replacing((regexp, replacement, match) => expand(regexp, replacement, match)),
    replaceAllLiteral: replacing((_regexp, replacement) => replacement),
  };
}

const MUST_MATCH = goFunction(['string', 'string'], 'bool', (call, pattern, text) => {
  const regexp = compileRegexp(pattern);
  chargeSearch(call, regexp, text);
  return allMatches(regexp, text, 1).length > 0;
});

/** An invalid pattern matches nothing. */
const MATCH: GoFunction = goFunction(['string', 'string'], 'bool', (call, pattern, text) => {
  try {
    return MUST_MATCH.run(call, [pattern, text]);
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
});

const plain = family(compileOrPanic);
const must = family(compileRegexp);

/** Sprig's regular expression functions: http://masterminds.github.io/sprig/regex.html */
export const REGEX_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['regexMatch', MATCH],
  ['mustRegexMatch', MUST_MATCH],
  ['regexFind', plain.find],
  ['mustRegexFind', must.find],
  ['regexFindAll', plain.findAll],
  ['mustRegexFindAll', must.findAll],
  ['regexSplit', plain.split],
  ['mustRegexSplit', must.split],
  ['regexReplaceAll', plain.replaceAll],
  ['mustRegexReplaceAll', must.replaceAll],
  ['regexReplaceAllLiteral', plain.replaceAllLiteral],
  ['mustRegexReplaceAllLiteral', must.replaceAllLiteral],
  [
    'regexQuoteMeta',
    goFunction(['string'], 'string', (call, text) => {
      call.charge(text.length);
      return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
    }),
  ],
]);
