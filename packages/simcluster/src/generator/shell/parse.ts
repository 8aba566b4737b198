import { readWord } from './read-word.ts';
import {
  type Command,
  type List,
  type Pipeline,
  type Redirect,
  ShellSyntaxError,
  type Word,
} from './syntax.ts';

const ENDS = ['then', 'do', 'done', 'fi', 'else', 'elif', '}', ')'];
const UNKNOWN = ['case', 'function', 'select', 'esac'];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A place in the text of a script. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Parses a script. Throws a ShellSyntaxError on what it does not know. */
export function parseScript(text: string): List {
  const cursor = { text, at: 0 };
  const list = parseList(cursor);
  if (cursor.at < text.length)
    throw new ShellSyntaxError(`unexpected "${text.slice(cursor.at, cursor.at + 20)}"`);
  return list;
}

/** Up to a word that ends a list (`done`, `fi`, `)`...), which is left in place. */
export function parseList(cursor: Cursor): List {
  const list: Pipeline[] = [];
  let when: Pipeline['when'] = 'always';
  for (;;) {
    skipBlank(cursor, true);
    if (cursor.at >= cursor.text.length || atEnd(cursor)) return list;
    const pipeline = parsePipeline(cursor, when);
    skipBlank(cursor, false);
    when = 'always';
    let background = false;
    if (take(cursor, '&&')) when = 'success';
    else if (take(cursor, '||')) when = 'failure';
    else if (take(cursor, '&')) background = true;
    else take(cursor, ';');
    list.push({ ...pipeline, background });
  }
}

function parsePipeline(cursor: Cursor, when: Pipeline['when']): Pipeline {
  const negated = takeWord(cursor, '!');
  const commands: Pipeline['commands'][number][] = [];
  do {
    skipBlank(cursor, true);
    const compound = parseCompound(cursor);
    commands.push(
      compound === undefined ? parseSimple(cursor) : { command: compound, redirects: readRedirects(cursor) },
    );
    skipBlank(cursor, false);
  } while (!cursor.text.startsWith('||', cursor.at) && take(cursor, '|'));
  return { negated, commands, when, background: false };
}

function parseCompound(cursor: Cursor): Command | undefined {
  for (const word of UNKNOWN)
    if (peekWord(cursor) === word) throw new ShellSyntaxError(`${word} is not known here`);
  if (takeWord(cursor, 'for')) return parseFor(cursor);
  if (takeWord(cursor, 'while')) return parseWhile(cursor, false);
  if (takeWord(cursor, 'until')) return parseWhile(cursor, true);
  if (takeWord(cursor, 'if')) return parseIf(cursor);
  if (takeWord(cursor, '{')) return group(cursor, '}');
  if (take(cursor, '(')) return group(cursor, ')');
  return undefined;
}

function group(cursor: Cursor, end: string): Command {
  const body = parseList(cursor);
  expect(cursor, end);
  return { kind: 'group', body };
}

function parseFor(cursor: Cursor): Command {
  skipBlank(cursor, false);
  const name = peekWord(cursor);
  if (!NAME.test(name)) throw new ShellSyntaxError(`bad name after for: "${name}"`);
  cursor.at += name.length;
  const words: Word[] = [];
  if (takeWord(cursor, 'in')) {
    for (skipBlank(cursor, false); !/[;\n]/.test(cursor.text[cursor.at] ?? ';'); skipBlank(cursor, false)) {
      words.push(readWord(cursor));
    }
  }
  skipSeparators(cursor);
  expect(cursor, 'do');
  const body = parseList(cursor);
  expect(cursor, 'done');
  return { kind: 'for', name, words, body };
}

function parseWhile(cursor: Cursor, until: boolean): Command {
  const condition = parseList(cursor);
  expect(cursor, 'do');
  const body = parseList(cursor);
  expect(cursor, 'done');
  return { kind: 'while', until, condition, body };
}

function parseIf(cursor: Cursor): Command {
  const branches: { condition: List; body: List }[] = [];
  do {
    const condition = parseList(cursor);
    expect(cursor, 'then');
    branches.push({ condition, body: parseList(cursor) });
  } while (takeWord(cursor, 'elif'));
  const otherwise = takeWord(cursor, 'else') ? parseList(cursor) : undefined;
  expect(cursor, 'fi');
  return { kind: 'if', branches, otherwise };
}

function parseSimple(cursor: Cursor): Pipeline['commands'][number] {
  const assignments: { name: string; value: Word }[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (;;) {
    skipBlank(cursor, false);
    const redirect = readRedirect(cursor);
    if (redirect !== undefined) {
      redirects.push(redirect);
      continue;
    }
    const next = cursor.text[cursor.at];
    if (next === undefined || ';\n|&)'.includes(next)) break;
    if (next === '(' || next === '<') throw new ShellSyntaxError(`unexpected "${next}"`);
    const assigned = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(cursor.text.slice(cursor.at, cursor.at + 80));
    if (assigned !== null && words.length === 0) {
      cursor.at += assigned[0].length;
      assignments.push({ name: assigned[1] ?? '', value: readWord(cursor) });
    } else words.push(readWord(cursor));
  }
  if (words.length === 0 && assignments.length === 0 && redirects.length === 0) {
    throw new ShellSyntaxError(`unexpected "${cursor.text.slice(cursor.at, cursor.at + 10)}"`);
  }
  return { command: { kind: 'simple', assignments, words }, redirects };
}

function readRedirects(cursor: Cursor): readonly Redirect[] {
  const redirects: Redirect[] = [];
  for (;;) {
    skipBlank(cursor, false);
    const redirect = readRedirect(cursor);
    if (redirect === undefined) return redirects;
    redirects.push(redirect);
  }
}

function readRedirect(cursor: Cursor): Redirect | undefined {
  const match = /^([12]?)(>>?)(?:&([12]))?/.exec(cursor.text.slice(cursor.at, cursor.at + 5));
  if (match === null) return undefined;
  cursor.at += match[0].length;
  const from = match[1] === '2' ? 2 : 1;
  if (match[3] !== undefined)
    return { from, append: false, target: { kind: 'stream', to: match[3] === '2' ? 2 : 1 } };
  skipBlank(cursor, false);
  return { from, append: match[2] === '>>', target: { kind: 'file', word: readWord(cursor) } };
}

function atEnd(cursor: Cursor): boolean {
  if (cursor.text[cursor.at] === ')') return true;
  return ENDS.includes(peekWord(cursor));
}

/** The bare word at the cursor, without taking it. */
function peekWord(cursor: Cursor): string {
  skipBlank(cursor, false);
  return /^[^\s;&|()<>"'$`\\]+/.exec(cursor.text.slice(cursor.at, cursor.at + 200))?.[0] ?? '';
}

function takeWord(cursor: Cursor, word: string): boolean {
  if (peekWord(cursor) !== word) return false;
  cursor.at += word.length;
  return true;
}

function expect(cursor: Cursor, word: string): void {
  skipSeparators(cursor);
  if (word === ')' ? take(cursor, ')') : takeWord(cursor, word)) return;
  throw new ShellSyntaxError(`"${word}" expected at "${cursor.text.slice(cursor.at, cursor.at + 20)}"`);
}

function take(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

function skipSeparators(cursor: Cursor): void {
  do skipBlank(cursor, true);
  while (take(cursor, ';'));
}

function skipBlank(cursor: Cursor, newlines: boolean): void {
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === ' ' || char === '\t' || (newlines && (char === '\n' || char === '\r'))) cursor.at++;
    else if (char === '\\' && cursor.text[cursor.at + 1] === '\n') cursor.at += 2;
    else if (char === '#' && /^$|[\s;]/.test(cursor.text[cursor.at - 1] ?? '')) {
      while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '\n') cursor.at++;
    } else return;
  }
}
