import type { YamlDialect } from './dialect.ts';

/** The text written so far, with the state of libyaml's emitter: column, indentation, and the last token. */
export class LineWriter {
  column = 0;
  /** Column that a new line starts at; below zero outside of any collection. */
  indent = -1;
  /** The last thing written was white space or an indicator that needs none after it. */
  isAfterSpace = true;
  /** Nothing but indentation and indicators is on the line. */
  isIndented = true;
  readonly dialect: YamlDialect;
  #text = '';

  constructor(dialect: YamlDialect) {
    this.dialect = dialect;
  }

  /** Writes what is on one line; as many columns as UTF-16 units. */
  write(text: string): void {
    this.#text += text;
    this.column += text.length;
  }

  writeBreak(character = '\n'): void {
    this.#text += character;
    this.column = 0;
  }

  /** Goes to the indentation, on a new line unless the current one holds nothing else. */
  writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.isIndented || this.column > indent || (this.column === indent && !this.isAfterSpace)) {
      this.writeBreak();
    }
    if (this.column < indent) this.write(' '.repeat(indent - this.column));
    this.isAfterSpace = true;
    this.isIndented = true;
  }

  /** Writes an indicator (`-`, `?`, `:`, `|`, brackets and quotes). `keepsIndentation`: more may follow as if at the line's start. */
  writeIndicator(indicator: string, needsSpace: boolean, keepsIndentation = false): void {
    if (needsSpace && !this.isAfterSpace) this.write(' ');
    this.write(indicator);
    this.isAfterSpace = false;
    this.isIndented &&= keepsIndentation;
  }

  get text(): string {
    return this.#text;
  }
}
