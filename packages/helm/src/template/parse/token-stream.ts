import { byteLength } from '../../value/bytes.ts';
import { quote } from '../../value/quote.ts';
import { ParseError } from '../errors.ts';
import { Lexer } from './lex.ts';
import type { Source } from './node.ts';
import { isKeyword, type Token, type TokenKind } from './token.ts';

/** The tokens of a text with the lookahead that the grammar needs, and its error messages. */
export class TokenStream {
  readonly source: Source;
  readonly #lexer: Lexer;
  /** Tokens put back, the next one last. */
  readonly #ahead: Token[] = [];
  #latest: Token = { kind: 'text', at: 0, text: '', line: 0 };
  /** Line of the current action, or 0. */
  actionLine = 0;

  constructor(source: Source) {
    this.source = source;
    this.#lexer = new Lexer(source.text);
  }

  next(): Token {
    const put = this.#ahead.pop();
    if (put !== undefined) return put;
    this.#latest = this.#lexer.next();
    return this.#latest;
  }

  /** Puts a token back, so that it is the next one. */
  putBack(token: Token): void {
    this.#ahead.push(token);
  }

  peek(): Token {
    const token = this.next();
    this.#ahead.push(token);
    return token;
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.kind === 'space') token = this.next();
    return token;
  }

  /** Returns the next non-space token without consuming it; consumes the space before it. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.#ahead.push(token);
    return token;
  }

  expect(kinds: readonly TokenKind[], context: string): Token {
    const token = this.nextNonSpace();
    if (!kinds.includes(token.kind)) throw this.unexpected(token, context);
    return token;
  }

  error(message: string): ParseError {
    return new ParseError(`template: ${this.source.name}:${this.#latest.line}: ${message}`);
  }

  unexpected(token: Token, context: string): ParseError {
    if (token.kind !== 'error') return this.error(`unexpected ${describe(token)} in ${context}`);
    let more = '';
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      more = ` in action started at ${this.source.name}:${this.actionLine}`;
      if (token.text.endsWith(' action')) more = more.slice(' in action'.length);
    }
    return this.error(token.text + more);
  }
}

function describe(token: Token): string {
  if (token.kind === 'end-of-file') return 'EOF';
  if (token.kind === 'error') return token.text;
  if (isKeyword(token.kind)) return `<${token.text}>`;
  if (byteLength(token.text) <= 10) return quote(token.text);
  return `${quote([...token.text].slice(0, 10).join(''))}...`;
}
