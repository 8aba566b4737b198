/** A value on a line, in UTF-16 units. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
  /** The beginning of what follows on the line. */
  readonly rest: string;
}

/** A quote, also escaped, and after the `b` of Python's bytes. */
const QUOTED = /b?(\\{1,3}["']|["'`])/y;
/**
 * Up to a delimiter. A password may have signs that are delimiters elsewhere, so each of them counts only with what
 * follows it: `&` and `;` before the next name, `<` before an end tag, a quote before the end of what it closes.
 */
const UNQUOTED =
  /(?:[^\s"'`;&<>]|&(?![\w.[\]%-]{1,64}=)|;(?!\s|$|[A-Za-z][\w.-]{0,30}(?: [A-Z]\w{0,20}){0,2}=)|<(?!\/|br\b)|>(?![\s<]|$)|["'`](?![\s"'`,;:)\]}>.&|\\=/]|$)){1,256}/y;
/** An object or a list of JSON: `readNestedValues` reads them. */
const OPENED = /^[{[]\s{0,2}\\{0,3}["'}\]]/;
/** The rest of a longer value. */
const REST = /[^\s"'`;&<>]*/y;

/** Reads the value at a position: quoted in one of five ways, or up to a delimiter. */
export function readValue(text: string, from: number): Value | undefined {
  QUOTED.lastIndex = from;
  const opened = QUOTED.exec(text);
  if (opened !== null) return quotedValue(text, from + opened[0].length, opened[1] ?? '');
  if (OPENED.test(text.slice(from, from + 8))) return undefined;
  UNQUOTED.lastIndex = from;
  const found = UNQUOTED.exec(text)?.[0];
  if (found === undefined) return undefined;
  const value = found.replace(/,[\w.-]{1,64}[=:].*$|[)\]},.:]{1,8}$/s, '').replace(/[)\]},]{1,8}$/, '');
  return valueAt(text, from, from + value.length, false);
}

/**
 * Extends a long value to its end. The decision reads only its beginning, and consecutive names share what follows
 * them.
 */
export function fullEnd(text: string, { start, end, isQuoted }: Value): number {
  if (isQuoted || end - start < 250) return end;
  REST.lastIndex = end;
  return end + (REST.exec(text)?.[0].length ?? 0);
}

/** Characters of a list or an object behind a name that are read. */
const MAX_NESTED = 2048;
const LIST = /\[\s{0,4}/y;
const OBJECT = /(?:[A-Z]\w{0,32})?[{(]/y;
/** Names that say that the value of an object is meant: `"password":{"value":"..."}`. */
const INNER =
  /(?<![\w-])(?:value|plain(?:text)?|raw|text|data|string|secret|content|old|new|current|previous|before|after|from|to|confirm(?:ation)?)(?:\\{0,3}["'`])?\s{0,4}(?:=>|[=:])\s{0,4}/gi;

/** Reads the values of the list or the object at a position; neither: none. */
export function readNestedValues(text: string, from: number): readonly Value[] {
  LIST.lastIndex = from;
  const list = LIST.exec(text);
  if (list !== null) return listed(text, from + list[0].length, from + MAX_NESTED);
  OBJECT.lastIndex = from;
  const object = OBJECT.exec(text);
  if (object === null) return [];
  const close = text.slice(from, from + MAX_NESTED).search(/[})]/);
  const body = text.slice(0, from + (close === -1 ? MAX_NESTED : close));
  INNER.lastIndex = from + object[0].length - 1;
  return Array.from(body.matchAll(INNER)).flatMap(({ index, 0: { length } }) => {
    const value = readValue(text, index + length);
    return value === undefined ? [] : [value];
  });
}

/** Reads `"a", "b"` and `a b` up to the end of a list. */
function listed(text: string, from: number, until: number): readonly Value[] {
  const values: Value[] = [];
  let at = from;
  while (at < until) {
    const read = readValue(text, at);
    if (read === undefined) break;
    const value = read.isQuoted ? read : upToBracket(read);
    if (value.end > value.start) values.push(value);
    const next = /^(?:\\{0,3}["'`])?\s{0,4}(?:,\s{0,4}|(?=[^\s\]]))/.exec(
      text.slice(value.end, value.end + 16),
    );
    if (
      next === null ||
      next[0] === '' ||
      /^[^,]*\]/.test(text.slice(value.end, value.end + next[0].length + 1))
    )
      break;
    at = value.end + next[0].length;
  }
  return values;
}

/** Ends an element of a list without quotes where the list ends. */
function upToBracket(value: Value): Value {
  const length = value.text.indexOf(']');
  return length === -1 ? value : { ...value, end: value.start + length, text: value.text.slice(0, length) };
}

/**
 * Reads up to the same quote; without one up to the end of the line, since a line may be truncated. SQL and CSV write a
 * quote within a value twice.
 */
function quotedValue(text: string, start: number, quote: string): Value {
  let end = text.indexOf(quote, start);
  while (end !== -1 && quote.length === 1) {
    if (end > start && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
    else if (isEscaped(text, start, end)) end = text.indexOf(quote, end + 1);
    else break;
  }
  return valueAt(text, start, end === -1 ? text.length : end, true);
}

function isEscaped(text: string, start: number, at: number): boolean {
  let slashes = 0;
  while (at - slashes > start && text[at - slashes - 1] === '\\') slashes++;
  return slashes % 2 === 1;
}

function valueAt(text: string, start: number, end: number, isQuoted: boolean): Value {
  return { start, end, text: text.slice(start, end), isQuoted, rest: text.slice(end, end + 32) };
}
