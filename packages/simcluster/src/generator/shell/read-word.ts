import { type Cursor, parseList, parseScript } from './parse.ts';
import { type Part, ShellSyntaxError, type Word } from './syntax.ts';

/** One word: literals, quotes, `$name`, `${name:-text}`, `$((1+2))`, `$(command)` and backquotes. */
export function readWord(cursor: Cursor): Word {
  const parts: Part[] = [];
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === undefined || /[\s;&|()<>]/.test(char)) return parts;
    if (char === "'") parts.push({ kind: 'text', text: readUntil(cursor, "'"), quoted: true });
    else if (char === '"') readDoubleQuoted(cursor, parts);
    else if (char === '$') parts.push(readDollar(cursor, false));
    else if (char === '`')
      parts.push({ kind: 'command', list: parseScript(readUntil(cursor, '`')), quoted: false });
    else if (char === '\\') {
      const next = cursor.text[cursor.at + 1] ?? '';
      cursor.at += 2;
      if (next !== '\n') parts.push({ kind: 'text', text: next, quoted: true });
    } else {
      const text = /^[^\s;&|()<>'"$`\\]+/.exec(cursor.text.slice(cursor.at))?.[0] ?? '';
      cursor.at += text.length;
      parts.push({ kind: 'text', text, quoted: false });
    }
  }
}

function readUntil(cursor: Cursor, end: string): string {
  const close = cursor.text.indexOf(end, cursor.at + 1);
  if (close === -1) throw new ShellSyntaxError(`unterminated ${end}`);
  const text = cursor.text.slice(cursor.at + 1, close);
  cursor.at = close + 1;
  return text;
}

function readDoubleQuoted(cursor: Cursor, parts: Part[]): void {
  cursor.at++;
  let text = '';
  const flush = () => {
    parts.push({ kind: 'text', text, quoted: true });
    text = '';
  };
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === undefined) throw new ShellSyntaxError('unterminated "');
    if (char === '"') {
      cursor.at++;
      flush();
      return;
    }
    if (char === '\\' && '$`"\\\n'.includes(cursor.text[cursor.at + 1] ?? '')) {
      if (cursor.text[cursor.at + 1] !== '\n') text += cursor.text[cursor.at + 1];
      cursor.at += 2;
    } else if (char === '$') {
      flush();
      parts.push(readDollar(cursor, true));
    } else if (char === '`') {
      flush();
      parts.push({ kind: 'command', list: parseScript(readUntil(cursor, '`')), quoted: true });
    } else {
      text += char;
      cursor.at++;
    }
  }
}

function readDollar(cursor: Cursor, quoted: boolean): Part {
  const rest = cursor.text.slice(cursor.at);
  if (rest.startsWith('$((')) {
    const end = arithmeticEnd(rest);
    cursor.at += end + 2;
    return { kind: 'arithmetic', text: rest.slice(3, end), quoted };
  }
  if (rest.startsWith('$(')) {
    cursor.at += 2;
    const list = parseList(cursor);
    if (cursor.text[cursor.at] !== ')') throw new ShellSyntaxError('unterminated $(');
    cursor.at++;
    return { kind: 'command', list, quoted };
  }
  const braces = /^\$\{([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*])(?::?-([^}]*))?\}/.exec(rest);
  const plain = /^\$([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!])/.exec(rest);
  const match = braces ?? plain;
  if (match === null) {
    if (rest.startsWith('${')) throw new ShellSyntaxError(`unknown expansion ${rest.slice(0, 20)}`);
    cursor.at++;
    return { kind: 'text', text: '$', quoted: true };
  }
  cursor.at += match[0].length;
  return { kind: 'variable', name: match[1] ?? '', fallback: braces?.[2], quoted };
}

/** Place of the `))` that ends `$((`. */
function arithmeticEnd(text: string): number {
  let depth = 0;
  for (let at = 3; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth > 0) depth--;
    else if (text[at] === ')' && text[at + 1] === ')') return at;
  }
  throw new ShellSyntaxError('unterminated $((');
}
