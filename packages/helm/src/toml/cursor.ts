import { TomlError } from './toml-error.ts';

/** Reads the text of a TOML file character by character, and validates each. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 1;
  #isEnd = false;
  /** The last key, which errors name besides the line. */
  lastKey: () => string = () => '';

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the next character; empty at the end. */
  peek(): string {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) return '';
    if (code >= 0xd800 && code <= 0xdfff) {
      throw this.problem(`invalid UTF-8 byte: 0x${hex(code >= 0xdc80 ? code - 0xdc00 : 0xed)}`);
    }
    const isLoneReturn = code === 0x0d && this.text[this.at + 1] !== '\n';
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code === 0x7f || isLoneReturn) {
      throw this.problem(`TOML files cannot contain control characters: '0x${hex(code)}'`);
    }
    return String.fromCodePoint(code);
  }

  next(): string {
    const character = this.peek();
    this.#isEnd = character === '';
    this.at += character.length;
    if (character === '\n') this.line++;
    return character;
  }

  /** Consumes the character, if it is the next one. */
  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.next();
    return true;
  }

  /** Consumes all characters that match the pattern. */
  skip(pattern: RegExp): string {
    const from = this.at;
    for (let next = this.peek(); next !== '' && pattern.test(next); next = this.peek()) this.next();
    return this.text.slice(from, this.at);
  }

  /** Returns an error for this line; at the end, for the last line that is not empty. */
  problem(text: string): TomlError {
    return this.problemAt(this.#isEnd && this.text.endsWith('\n') ? this.line - 1 : this.line, text);
  }

  problemAt(line: number, text: string): TomlError {
    return new TomlError(text, line, this.lastKey());
  }
}

function hex(code: number): string {
  return code.toString(16).padStart(2, '0');
}
