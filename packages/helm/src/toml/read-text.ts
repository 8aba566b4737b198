import { quote, quoteRune } from '../value/quote.ts';
import type { Cursor } from './cursor.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
};
const DIGITS: Readonly<Record<string, readonly [number, string]>> = {
  x: [2, 'two'],
  u: [4, 'four'],
  U: [8, 'eight'],
};

type Mark = '"' | "'";

/** Reads a text of one or several lines, from its opening mark. */
export function readText(cursor: Cursor): string {
  const mark = cursor.next() as Mark;
  if (!cursor.text.startsWith(mark + mark, cursor.at)) return readLineText(cursor, mark);
  cursor.at += 2;
  return readBlockText(cursor, mark);
}

/** Reads a text of one line, after its opening mark; `'` makes every character literal. */
export function readLineText(cursor: Cursor, mark: Mark): string {
  const from = cursor.at;
  for (;;) {
    const character = cursor.next();
    if (character === mark) return unescaped(cursor, cursor.text.slice(from, cursor.at - 1), mark);
    if (character === '') throw cursor.problem(`unexpected EOF; expected ${quotedMarks(mark, 1)}`);
    if (character === '\n' || character === '\r') {
      throw cursor.problemAt(cursor.line - 1, 'strings cannot contain newlines');
    }
    if (character === '\\' && mark === '"') passEscape(cursor, from);
  }
}

/** Reads a text of several lines, after its three opening marks. One or two more marks may precede the last three. */
function readBlockText(cursor: Cursor, mark: Mark): string {
  const from = cursor.at;
  for (;;) {
    const character = cursor.next();
    if (character === '') throw cursor.problem(`unexpected EOF; expected ${quotedMarks(mark, 3)}`);
    if (character === mark && passesEnd(cursor, mark)) break;
    if (character === '\\' && mark === '"' && cursor.skip(/[\r\n]/) === '') passEscape(cursor, from);
  }
  const inside = cursor.text.slice(from, cursor.at - 3).replace(/^\r?\n/, '');
  return unescaped(cursor, mark === '"' ? joined(inside) : inside, mark);
}

/** Skips the quotation marks after one, if they end a text of several lines. */
function passesEnd(cursor: Cursor, mark: Mark): boolean {
  const count = 1 + cursor.skip(mark === '"' ? /"/ : /'/).length;
  if (count > 5) throw cursor.problem(`unexpected ${quotedMarks(mark, 6)}`);
  return count >= 3;
}

/** Shows marks for errors, in marks of the other kind. */
function quotedMarks(mark: Mark, count: number): string {
  const other = mark === '"' ? "'" : '"';
  return other + mark.repeat(count) + other;
}

/** Removes line breaks, and the blanks around them, after a backslash at the end of a line. */
function joined(text: string): string {
  return text.replace(
    /(\\\\)|\\[ \t\r]*\n[ \t\r\n]*/g,
    (_all, backslash: string | undefined) => backslash ?? '',
  );
}

function passEscape(cursor: Cursor, from: number): void {
  const character = cursor.next();
  const digits = DIGITS[character];
  if (digits === undefined) {
    if (character in ESCAPES || character === ' ' || character === '\t') return;
    const line = character === '' ? cursor.line - 1 : cursor.line;
    throw cursor.problemAt(line, `invalid escape in string '\\${character === '' ? '\0' : character}'`);
  }
  const [count, letters] = digits;
  for (let at = 0; at < count; at++) {
    if (/[\da-fA-F]/.test(cursor.next())) continue;
    const found = quote(cursor.text.slice(from, cursor.at));
    throw cursor.problem(
      `expected ${letters} hexadecimal digits after '\\${character}', but got ${found} instead`,
    );
  }
}

function unescaped(cursor: Cursor, text: string, mark: Mark): string {
  if (mark === "'" || !text.includes('\\')) return text;
  return text.replace(
    /\\(?:x(..)|u(.{4})|U(.{8})|([\s\S]))/g,
    (_all, two?: string, four?: string, eight?: string, one?: string) => {
      const digits = two ?? four ?? eight;
      if (digits === undefined) {
        const meant = ESCAPES[one!];
        if (meant === undefined) throw cursor.problemAt(cursor.line, `invalid escape: '\\${one}'`);
        return meant;
      }
      const code = Number.parseInt(digits, 16);
      if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
      throw cursor.problemAt(cursor.line, `Escaped character '\\u${digits}' is not valid UTF-8.`);
    },
  );
}

/** Shows a character for errors: Go's `%q`, of NUL at the end. */
export function shown(character: string): string {
  return quoteRune(character === '' ? 0 : character.codePointAt(0)!);
}
