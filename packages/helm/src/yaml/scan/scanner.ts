import { type Cursor, isBlankOrEnd, isBreak, isBreakOrEnd, type Mark } from './cursor.ts';
import { PossibleKeys } from './possible-keys.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import type { Token, TokenType } from './token.ts';

/**
 * Splits a text into YAML 1.1 tokens, with libyaml's rules and messages as in go-yaml 2 (https://yaml.org/spec/1.1/).
 * Holds back the tokens from a possible key on until it is confirmed or ruled out.
 */
export class Scanner {
  readonly #cursor: Cursor;
  #tokens: Token[] = [];
  #taken = 0;
  /** The number of tokens removed before `#tokens`. */
  #passed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #isKeyAllowed = true;
  readonly #keys: PossibleKeys;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#keys = new PossibleKeys(cursor);
  }

  /** Returns the next token without consuming it. */
  peek(): Token {
    while (this.#tokens.length === this.#taken || this.#keys.holdBack(this.#passed + this.#taken))
      this.#fetch();
    return this.#tokens[this.#taken] as Token;
  }

  /** Consumes the next token. */
  next(): Token {
    const token = this.peek();
    if (++this.#taken > 256) {
      this.#passed += this.#taken;
      this.#tokens = this.#tokens.slice(this.#taken);
      this.#taken = 0;
    }
    return token;
  }

  get #isFlow(): boolean {
    return this.#keys.isFlow;
  }

  #fetch(): void {
    this.#skipToToken();
    this.#unroll(this.#cursor.column);
    const fetch = this.#fetcher();
    if (fetch === undefined) throw this.#cursor.error('found character that cannot start any token');
    fetch();
  }

  /** Returns the function that reads the token at the cursor. */
  #fetcher(): (() => void) | undefined {
    const cursor = this.#cursor;
    const unit = cursor.unit();
    if (unit === 0) return () => this.#fetchEnd();
    if (cursor.column === 0 && cursor.is('%')) return () => this.#fetchDirective();
    if (cursor.isAtDocumentIndicator()) return () => this.#fetchDocumentIndicator();
    const following = cursor.unit(1);
    const character = String.fromCharCode(unit);
    const indicator = this.#indicatorFetcher(character, isBlankOrEnd(following));
    if (indicator !== undefined) return indicator;
    return this.#startsPlain(character, following) ? () => this.#fetchPlain() : undefined;
  }

  #indicatorFetcher(character: string, endsToken: boolean): (() => void) | undefined {
    switch (character) {
      case '[':
        return () => this.#openFlow('flow-sequence-start');
      case '{':
        return () => this.#openFlow('flow-mapping-start');
      case ']':
        return () => this.#closeFlow('flow-sequence-end');
      case '}':
        return () => this.#closeFlow('flow-mapping-end');
      case ',':
        return () => this.#fetchComma();
      case '-':
        return endsToken ? () => this.#fetchEntry() : undefined;
      case '?':
        return endsToken || this.#isFlow ? () => this.#fetchKey() : undefined;
      case ':':
        return endsToken || this.#isFlow ? () => this.#fetchValue() : undefined;
      case '*':
        return () => this.#fetchNamed('alias');
      case '&':
        return () => this.#fetchNamed('anchor');
      case '!':
        return () => this.#fetchTag();
      case '|':
      case '>':
        return this.#isFlow ? undefined : () => this.#fetchBlockScalar();
      case "'":
      case '"':
        return () => this.#fetchQuoted();
    }
    return undefined;
  }

  #startsPlain(character: string, following: number): boolean {
    if (character === '-') return following !== 0x20 && following !== 0x09;
    if (character === '?' || character === ':') return !this.#isFlow && !isBlankOrEnd(following);
    return !isBlankOrEnd(character.charCodeAt(0)) && !',[]{}#&*!|>\'"%@`'.includes(character);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.index === 0 && cursor.unit() === 0xfeff) cursor.skip();
      while (cursor.is(' ') || (cursor.is('\t') && (this.#isFlow || !this.#isKeyAllowed))) cursor.skip();
      if (cursor.is('#')) cursor.readWhile((unit) => !isBreakOrEnd(unit));
      if (!isBreak(cursor.unit())) return;
      cursor.readBreak();
      if (!this.#isFlow) this.#isKeyAllowed = true;
    }
  }

  #push(type: TokenType, line: number, rest: Partial<Token> = {}): void {
    this.#tokens.push({ type, line, text: '', ...rest });
  }

  /** Adds a token of one character. */
  #pushIndicator(type: TokenType): void {
    this.#push(type, this.#cursor.line);
    this.#cursor.skip();
  }

  /** Opens a block collection if the column is deeper than the current one. */
  #roll(type: TokenType, mark: Mark, tokenNumber?: number): void {
    if (this.#isFlow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    this.#insert({ type, line: mark.line, text: '' }, tokenNumber);
  }

  /** Inserts a token before another, or at the end if that one is already consumed. */
  #insert(token: Token, tokenNumber = -1): void {
    const index = tokenNumber - this.#passed;
    this.#tokens.splice(index < this.#taken ? this.#tokens.length : index, 0, token);
  }

  /** Closes the block collections deeper than the column. */
  #unroll(column: number): void {
    if (this.#isFlow) return;
    while (this.#indent > column) {
      this.#push('block-end', this.#cursor.line);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Number of the next token. */
  get #tokenNumber(): number {
    return this.#passed + this.#tokens.length;
  }

  /** Saves the position as a possible key. */
  #saveKey(): void {
    if (!this.#isKeyAllowed) return;
    const isRequired = !this.#isFlow && this.#indent === this.#cursor.column;
    this.#keys.save(this.#tokenNumber, isRequired);
  }

  #fetchEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line++;
    }
    this.#resetBlock();
    this.#push('stream-end', cursor.line);
  }

  #resetBlock(): void {
    this.#unroll(-1);
    this.#keys.drop();
    this.#isKeyAllowed = false;
  }

  #fetchDirective(): void {
    this.#resetBlock();
    const { line } = this.#cursor;
    this.#push('directive', line, { directive: scanDirective(this.#cursor) });
  }

  #fetchDocumentIndicator(): void {
    this.#resetBlock();
    this.#push(this.#cursor.is('-') ? 'document-start' : 'document-end', this.#cursor.line);
    this.#cursor.skip(3);
  }

  #openFlow(type: TokenType): void {
    this.#saveKey();
    this.#keys.openLevel(this.#tokenNumber);
    this.#isKeyAllowed = true;
    this.#pushIndicator(type);
  }

  #closeFlow(type: TokenType): void {
    this.#keys.drop();
    this.#keys.closeLevel();
    this.#isKeyAllowed = false;
    this.#pushIndicator(type);
  }

  #fetchComma(): void {
    this.#keys.drop();
    this.#isKeyAllowed = true;
    this.#pushIndicator('flow-entry');
  }

  #fetchEntry(): void {
    if (!this.#isFlow) {
      if (!this.#isKeyAllowed) {
        throw this.#cursor.error('block sequence entries are not allowed in this context');
      }
      this.#roll('block-sequence-start', this.#cursor.mark);
    }
    this.#keys.drop();
    this.#isKeyAllowed = true;
    this.#pushIndicator('block-entry');
  }

  #fetchKey(): void {
    if (!this.#isFlow) {
      if (!this.#isKeyAllowed) throw this.#cursor.error('mapping keys are not allowed in this context');
      this.#roll('block-mapping-start', this.#cursor.mark);
    }
    this.#keys.drop();
    this.#isKeyAllowed = !this.#isFlow;
    this.#pushIndicator('key');
  }

  #fetchValue(): void {
    const key = this.#keys.take();
    if (key !== undefined) {
      this.#insert({ type: 'key', line: key.mark.line, text: '' }, key.tokenNumber);
      this.#roll('block-mapping-start', key.mark, key.tokenNumber);
      this.#isKeyAllowed = false;
    } else {
      if (!this.#isFlow) {
        if (!this.#isKeyAllowed) throw this.#cursor.error('mapping values are not allowed in this context');
        this.#roll('block-mapping-start', this.#cursor.mark);
      }
      this.#isKeyAllowed = !this.#isFlow;
    }
    this.#pushIndicator('value');
  }

  #fetchNamed(type: 'alias' | 'anchor'): void {
    this.#startNode();
    const { line } = this.#cursor;
    this.#push(type, line, { text: scanAnchor(this.#cursor) });
  }

  #fetchTag(): void {
    this.#startNode();
    const { line } = this.#cursor;
    this.#push('tag', line, { tag: scanTag(this.#cursor) });
  }

  #startNode(): void {
    this.#saveKey();
    this.#isKeyAllowed = false;
  }

  #fetchBlockScalar(): void {
    this.#keys.drop();
    this.#isKeyAllowed = true;
    const { line } = this.#cursor;
    this.#push('scalar', line, { text: scanBlockScalar(this.#cursor, this.#indent), isPlain: false });
  }

  #fetchQuoted(): void {
    this.#startNode();
    const { line } = this.#cursor;
    this.#push('scalar', line, { text: scanQuotedScalar(this.#cursor), isPlain: false });
  }

  #fetchPlain(): void {
    this.#startNode();
    const { line } = this.#cursor;
    const scalar = scanPlainScalar(this.#cursor, this.#indent + 1, this.#isFlow);
    this.#push('scalar', line, { text: scalar.text, isPlain: true });
    if (scalar.endsLine) this.#isKeyAllowed = true;
  }
}
