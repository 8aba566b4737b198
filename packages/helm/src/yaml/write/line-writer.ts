import type { YamlDialect } from './dialect.ts';

/** The text written so far, with the state of libyaml's emitter: column, indentation, and the last token. */
export class LineWriter {
  column = 0;
  /** Start column of a new line; negative outside collections. */
  indent = -1;
  /** Whether the last output was white space or an indicator that needs none after it. */
  isAfterSpace = true;
  /** Whether the line contains only indentation and indicators. */
  isIndented = true;
  readonly dialect: YamlDialect;
  #text = '';

  constructor(dialect: YamlDialect) {
    this.dialect = dialect;
  }

  /** Writes text without line breaks; counts a column per UTF-16 unit. */
  write(text: string): void {
    this.#text += text;
    this.column += text.length;
  }

  writeBreak(character = '\n'): void {
    this.#text += character;
    this.column = 0;
  }

  /** Moves to the indentation, on a new line unless the current one is otherwise empty. */
  writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.isIndented || this.column > indent || (this.column === indent && !this.isAfterSpace)) {
      this.writeBreak();
    }
    if (this.column < indent) this.write(' '.repeat(indent - this.column));
    this.isAfterSpace = true;
    this.isIndented = true;
  }

  /**
   * Writes an indicator (`-`, `?`, `:`, `|`, brackets and quotes). `keepsIndentation`: what follows still counts as
   * being at the line's start.
   */
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
