import { RE2JS, RE2JSSyntaxException } from 're2js';
import { GoError } from '../../../template/errors.ts';

/** A regular expression with Go's RE2 semantics, so that no pattern takes more than linear time. */
export interface GoRegexp {
  readonly pattern: RE2JS;
  /** The group numbers by name; Go allows several groups with the same name. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

/** A match with its groups: undefined for a group that did not participate. */
export interface Match {
  readonly start: number;
  readonly end: number;
  group(number: number): string | undefined;
}

const INVALID = /[\ud800-\udfff]/u;
const cache = new Map<string, GoRegexp>();
const CACHED = 256;

/** @throws GoError worded like regexp.Compile */
export function compileRegexp(text: string): GoRegexp {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (INVALID.test(text)) throw new GoError(`error parsing regexp: invalid UTF-8: \`${text}\``);
  const compiled = compile(text);
  if (cache.size >= CACHED) cache.clear();
  cache.set(text, compiled);
  return compiled;
}

function compile(text: string): GoRegexp {
  try {
    const [distinct, originals] = withDistinctNames(text);
    const pattern = RE2JS.compile(distinct);
    const names = new Map<string, number[]>();
    for (const [name, number] of Object.entries(pattern.namedGroups())) {
      const original = originals.get(name) ?? name;
      names.set(original, [...(names.get(original) ?? []), number]);
    }
    return { pattern, names };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new GoError(goMessage(error));
    throw error;
  }
}

/** Go shows the invalid part, even if it is empty. */
function goMessage({ message }: Error): string {
  return message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message;
}

const NAME_OR_OTHER =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|(\(\?P?<)(\w+)>/g;

/** Renames repeated group names to make them unique. Returns the pattern and the original names. */
function withDistinctNames(text: string): [string, ReadonlyMap<string, string>] {
  const seen = new Set<string>();
  const originals = new Map<string, string>();
  const distinct = text.replace(NAME_OR_OTHER, (token, open?: string, name?: string) => {
    if (open === undefined || name === undefined) return token;
    if (!seen.has(name)) {
      seen.add(name);
      return token;
    }
    let fresh = `again${originals.size}`;
    while (text.includes(fresh)) fresh += '_';
    originals.set(fresh, name);
    return `${open}${fresh}>`;
  });
  return [distinct, originals];
}

/** Returns the first match at or after an index. */
function matchFrom(regexp: GoRegexp, text: string, from: number): Match | undefined {
  const matcher = regexp.pattern.matcher(text);
  if (!matcher.find(from)) return undefined;
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, at) => matcher.group(at) ?? undefined);
  return { start: matcher.start(), end: matcher.end(), group: (number) => groups[number] };
}

export function firstMatch(regexp: GoRegexp, text: string): string {
  return matchFrom(regexp, text, 0)?.group(0) ?? '';
}

function characterLength(text: string, at: number): number {
  const code = text.codePointAt(at);
  return code === undefined ? 0 : code > 0xffff ? 2 : 1;
}

/**
 * Returns all matches, at most `limit`; an empty one directly after another does not count. Calls `onMatch` before it
 * keeps each match; `onMatch` may throw.
 */
export function allMatches(regexp: GoRegexp, text: string, limit: number, onMatch?: () => void): Match[] {
  const matches: Match[] = [];
  let previousEnd = -1;
  for (let at = 0; at <= text.length && matches.length < limit; ) {
    const match = matchFrom(regexp, text, at);
    if (match === undefined) break;
    onMatch?.();
    const { start, end } = match;
    const isEmpty = end === at;
    if (!isEmpty || start !== previousEnd) matches.push(match);
    at = isEmpty ? at + Math.max(characterLength(text, at), 1) : end;
    previousEnd = end;
  }
  return matches;
}

/** Replaces all matches in a text. */
export function replaceMatches(regexp: GoRegexp, text: string, replace: (match: Match) => string): string {
  const texts: string[] = [];
  let copied = 0;
  for (let at = 0; at <= text.length; ) {
    const match = matchFrom(regexp, text, at);
    if (match === undefined) break;
    texts.push(text.slice(copied, match.start));
    if (match.end > copied || match.start === 0) texts.push(replace(match));
    copied = match.end;
    at = Math.max(at + Math.max(characterLength(text, at), 1), match.end);
  }
  return texts.join('') + text.slice(copied);
}

/** Go's Expand: `$1`, `$name`, `${name}`; names match greedily, `$$` is a dollar sign. */
export function expand(regexp: GoRegexp, template: string, match: Match): string {
  return template.replace(
    /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (_whole, dollar: string | undefined, bare: string | undefined, braced: string | undefined) => {
      if (dollar !== undefined) return '$';
      const name = bare ?? braced ?? '';
      const isNumber = /^(0|[1-9]\d{0,8})$/.test(name);
      const numbers = isNumber ? [Number(name)] : (regexp.names.get(name) ?? []);
      return numbers.map((number) => match.group(number)).find((group) => group !== undefined) ?? '';
    },
  );
}
