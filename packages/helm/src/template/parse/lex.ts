import { isPrintable, quote } from '../../value/quote.ts';
import { KEYWORDS, type Token, type TokenKind } from './token.ts';

const LEFT = '{{';
const RIGHT = '}}';
const LETTER = /[\p{L}\p{Nd}]/u;
/** Characters that may follow a word, besides the end of the action; the empty text at the end counts too. */
const TERMINATORS = ' \t\r\n.,|:()';
const PLUS = 0x2b;
const MINUS = 0x2d;
const NAME = /[\p{L}\p{Nd}_]*/uy;
const NUMBER_TAIL = /[\p{L}\p{Nd}_]/uy;

/** Splits a template's text into tokens, one at a time. After an error it returns only the end. */
export class Lexer {
  #text: string;
  #at = 0;
  #start = 0;
  #line = 1;
  #startLine = 1;
  #parenthesisDepth = 0;
  #insideAction = false;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    return this.#insideAction ? this.#insideToken() : this.#textToken();
  }

  #emit(kind: TokenKind): Token {
    const token = {
      kind,
      at: this.#start,
      text: this.#text.slice(this.#start, this.#at),
      line: this.#startLine,
    };
    this.#countLines(this.#start, this.#at);
    this.#start = this.#at;
    this.#startLine = this.#line;
    return token;
  }

  #skipTo(at: number): void {
    this.#countLines(this.#start, at);
    this.#at = at;
    this.#start = at;
    this.#startLine = this.#line;
  }

  #countLines(from: number, to: number): void {
    for (let at = this.#text.indexOf('\n', from); at >= 0 && at < to; at = this.#text.indexOf('\n', at + 1)) {
      this.#line++;
    }
  }

  #error(message: string): Token {
    const token: Token = { kind: 'error', at: this.#start, text: message, line: this.#startLine };
    this.#text = '';
    this.#at = 0;
    this.#start = 0;
    return token;
  }

  /** Returns the text up to the next action, without comments, or the beginning of the action. */
  #textToken(): Token {
    for (;;) {
      const open = this.#text.indexOf(LEFT, this.#at);
      if (open < 0) {
        this.#at = this.#text.length;
        return this.#emit(this.#at > this.#start ? 'text' : 'end-of-file');
      }
      const text = this.#textUntil(open);
      if (text !== undefined) return text;
      const inside = isLeftTrim(this.#text, open + 2) ? open + 4 : open + 2;
      if (!this.#text.startsWith('/*', inside)) return this.#openAction(open, inside);
      const problem = this.#skipComment(inside);
      if (problem !== undefined) return this.#error(problem);
    }
  }

  /** Returns the text before an action, without the space that the action trims; undefined if nothing remains. */
  #textUntil(open: number): Token | undefined {
    if (open === this.#at) return undefined;
    const trimmed = isLeftTrim(this.#text, open + 2);
    let end = open;
    while (trimmed && end > this.#start && isSpace(this.#text.charCodeAt(end - 1))) end--;
    this.#at = end;
    const token = this.#emit('text');
    this.#skipTo(open);
    return token.text === '' ? undefined : token;
  }

  #openAction(open: number, inside: number): Token {
    this.#at = open + 2;
    const token = this.#emit('left-delimiter');
    this.#insideAction = true;
    this.#parenthesisDepth = 0;
    this.#skipTo(inside);
    return token;
  }

  /** Skips a comment and the delimiter after it; returns the problem, if any. */
  #skipComment(from: number): string | undefined {
    this.#skipTo(from);
    const close = this.#text.indexOf('*/', from + 2);
    if (close < 0) return 'unclosed comment';
    this.#at = close + 2;
    const right = this.#rightDelimiter();
    if (right === undefined) return 'comment ends before closing delimiter';
    this.#skipTo(right.end);
    return undefined;
  }

  /** Returns the right delimiter at this position, with the space that it trims; undefined if there is none. */
  #rightDelimiter(): { readonly trims: boolean; readonly end: number } | undefined {
    const text = this.#text;
    if (
      isSpace(text.charCodeAt(this.#at)) &&
      text[this.#at + 1] === '-' &&
      text.startsWith(RIGHT, this.#at + 2)
    ) {
      let end = this.#at + 4;
      while (end < text.length && isSpace(text.charCodeAt(end))) end++;
      return { trims: true, end };
    }
    return text.startsWith(RIGHT, this.#at) ? { trims: false, end: this.#at + 2 } : undefined;
  }

  #closeAction(right: { readonly trims: boolean; readonly end: number }): Token {
    if (right.trims) this.#skipTo(this.#at + 2);
    this.#at += 2;
    const token = this.#emit('right-delimiter');
    if (right.trims) this.#skipTo(right.end);
    this.#insideAction = false;
    return token;
  }

  #insideToken(): Token {
    const right = this.#rightDelimiter();
    if (right !== undefined) {
      return this.#parenthesisDepth === 0 ? this.#closeAction(right) : this.#error('unclosed left paren');
    }
    if (this.#at >= this.#text.length) return this.#error('unclosed action');
    const code = this.#text.charCodeAt(this.#at);
    if (isSpace(code)) return this.#space();
    if (isLetter(code)) return this.#name('identifier');
    if (isDigit(code) || code === PLUS || code === MINUS) return this.#number();
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    if (code >= 0x80 && LETTER.test(character)) return this.#name('identifier');
    this.#at += character.length;
    return this.#mark(character);
  }

  /**
   * Returns the token for a character that is neither space nor part of a word or number; the lexer is already past the
   * character.
   */
  #mark(character: string): Token {
    switch (character) {
      case '=':
        return this.#emit('assign');
      case ':':
        if (this.#text[this.#at] !== '=') return this.#error('expected :=');
        this.#at++;
        return this.#emit('declare');
      case '|':
        return this.#emit('pipe');
      case '"':
        return this.#quoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.#quoted("'", 'character', 'unterminated character constant');
      case '`':
        return this.#rawQuoted();
      case '$':
        return this.#name('variable');
      case '.':
        if (this.#at >= this.#text.length || isDigit(this.#text.charCodeAt(this.#at))) {
          this.#at--;
          return this.#number();
        }
        return this.#name('field');
      case '(':
        this.#parenthesisDepth++;
        return this.#emit('left-paren');
      case ')':
        this.#parenthesisDepth--;
        if (this.#parenthesisDepth < 0) return this.#error('unexpected right paren');
        return this.#emit('right-paren');
    }
    if (/[!-~]/.test(character)) return this.#emit('char');
    return this.#error(`unrecognized character in action: ${named(character)}`);
  }

  #space(): Token {
    let end = this.#at;
    while (end < this.#text.length && isSpace(this.#text.charCodeAt(end))) end++;
    const last = end - 1;
    if (this.#text[end] === '-' && this.#text.startsWith(RIGHT, end + 1)) {
      if (last > this.#at) {
        this.#at = last;
        return this.#emit('space');
      }
      if (this.#parenthesisDepth === 0) return this.#closeAction(this.#rightDelimiter()!);
    }
    this.#at = end;
    return this.#emit('space');
  }

  #name(kind: 'identifier' | 'field' | 'variable'): Token {
    const begin = this.#at;
    NAME.lastIndex = begin;
    const bare = this.#isTerminated(begin);
    if (kind !== 'identifier' && bare) return this.#emit(kind === 'variable' ? 'variable' : 'dot');
    this.#at += NAME.exec(this.#text)![0].length;
    if (!this.#isTerminated(this.#at)) {
      const bad = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
      return this.#error(`bad character ${named(bad)}`);
    }
    if (kind !== 'identifier') return this.#emit(kind);
    const name = this.#text.slice(begin, this.#at);
    if (name === 'true' || name === 'false') return this.#emit('bool');
    return this.#emit(KEYWORDS.get(name) ?? 'identifier');
  }

  #isTerminated(at: number): boolean {
    return TERMINATORS.includes(this.#text.charAt(at)) || this.#text.startsWith(RIGHT, at);
  }

  #quoted(mark: string, kind: TokenKind, problem: string): Token {
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at]!;
      if (character === '\n') break;
      if (character === '\\') {
        at++;
        if (this.#text[at] === undefined || this.#text[at] === '\n') break;
      } else if (character === mark) {
        this.#at = at + 1;
        return this.#emit(kind);
      }
    }
    return this.#error(problem);
  }

  #rawQuoted(): Token {
    const end = this.#text.indexOf('`', this.#at);
    if (end < 0) return this.#error('unterminated raw quoted string');
    this.#at = end + 1;
    return this.#emit('raw-string');
  }

  #number(): Token {
    if (!this.#scanNumber()) return this.#badNumber();
    const sign = this.#text[this.#at];
    if (sign !== '+' && sign !== '-') return this.#emit('number');
    if (!this.#scanNumber() || this.#text[this.#at - 1] !== 'i') return this.#badNumber();
    return this.#emit('complex');
  }

  #badNumber(): Token {
    return this.#error(`bad number syntax: ${quote(this.#text.slice(this.#start, this.#at))}`);
  }

  #scanNumber(): boolean {
    NUMBER.lastIndex = this.#at;
    this.#at += NUMBER.exec(this.#text)![0].length;
    NUMBER_TAIL.lastIndex = this.#at;
    const tail = NUMBER_TAIL.exec(this.#text);
    if (tail === null) return true;
    this.#at += tail[0].length;
    return false;
  }
}

/** Matches more than valid numbers: parsing detects invalid ones. */
const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a code is an ASCII letter or an underscore. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isLeftTrim(text: string, at: number): boolean {
  return text[at] === '-' && isSpace(text.charCodeAt(at + 1));
}

/** Formats like `%#U`: U+002B '+'. */
function named(character: string): string {
  const code = character.codePointAt(0)!;
  const lone = code >= 0xd800 && code <= 0xdfff;
  const shown = `U+${(lone ? 0xfffd : code).toString(16).toUpperCase().padStart(4, '0')}`;
  return lone || isPrintable(character) ? `${shown} '${lone ? '\ufffd' : character}'` : shown;
}
