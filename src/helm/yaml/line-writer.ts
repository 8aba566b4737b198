/** What go-yaml 2, behind `toYaml`, and go-yaml 3, behind `toYamlPretty`, write differently. */
export interface YamlStyle {
  /** Lines are folded at the first space after this many columns. */
  readonly width: number;
  /** A sequence under a key is indented deeper than the key. */
  readonly indentsSequences: boolean;
  /** Numbers are written as strconv writes a float, not as JSON's. */
  readonly hasGoFloats: boolean;
  /** Texts that are written without quotes although a reader takes them for something else. */
  readonly bareTexts: readonly string[];
}

const GO_YAML_2: YamlStyle = { width: 80, indentsSequences: false, hasGoFloats: false, bareTexts: [] };

export const GO_YAML_3: YamlStyle = {
  width: Number.POSITIVE_INFINITY,
  indentsSequences: true,
  hasGoFloats: true,
  bareTexts: ['<<', '='],
};

/** The text written so far, with what libyaml's emitter remembers of it: column, indentation, and what came last. */
export class LineWriter {
  readonly style: YamlStyle;
  column = 0;
  /** Column that a new line starts at; below zero outside of any collection. */
  indent = -1;
  /** The last thing written was white space or an indicator that needs none after it. */
  isAfterSpace = true;
  /** Nothing but indentation and indicators is on the line. */
  isIndented = true;
  #text = '';

  constructor(style: YamlStyle = GO_YAML_2) {
    this.style = style;
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
