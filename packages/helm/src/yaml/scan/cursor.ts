import { YamlError } from '../yaml-error.ts';

const NUL = 0;

/** A position in the text, counted from zero. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** Reads a text unit by unit and tracks line and column; past the end it returns NUL, which no YAML text contains. */
export class Cursor {
  index = 0;
  line = 0;
  column = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the unit at the position, or `ahead` of it. */
  unit(ahead = 0): number {
    const index = this.index + ahead;
    return index < this.text.length ? this.text.charCodeAt(index) : NUL;
  }

  /** Whether an ASCII character is at the position, or `ahead` of it. */
  is(character: string, ahead = 0): boolean {
    return this.unit(ahead) === character.charCodeAt(0);
  }

  get mark(): Mark {
    return { index: this.index, line: this.line, column: this.column };
  }

  skip(count = 1): void {
    this.index += count;
    this.column += count;
  }

  /** Reads while the test succeeds; never across a line break. */
  readWhile(test: (unit: number) => boolean): string {
    const start = this.index;
    while (test(this.unit())) this.index++;
    this.column += this.index - start;
    return this.text.slice(start, this.index);
  }

  /** Consumes a line break and returns its YAML 1.1 form: CR LF, CR, LF and NEL become LF, LS and PS stay. */
  readBreak(): string {
    const unit = this.unit();
    this.index += unit === 0x0d && this.unit(1) === 0x0a ? 2 : 1;
    this.line++;
    this.column = 0;
    return unit === 0x2028 || unit === 0x2029 ? String.fromCharCode(unit) : '\n';
  }

  /** Whether a line of `---` or `...` starts here. */
  isAtDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const is = (character: string) => this.is(character) && this.is(character, 1) && this.is(character, 2);
    return (is('-') || is('.')) && isBlankOrEnd(this.unit(3));
  }

  /** Returns an error of go-yaml's scanner, which counts lines from one but does not name the first. */
  error(problem: string): YamlError {
    return new YamlError(`yaml: ${this.line === 0 ? '' : `line ${this.line + 1}: `}${problem}`);
  }
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

export function isBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

export function isBreakOrEnd(unit: number): boolean {
  return unit === NUL || isBreak(unit);
}

export function isBlankOrEnd(unit: number): boolean {
  return isBlank(unit) || isBreakOrEnd(unit);
}

/** Whether a unit is valid in names of anchors and tags: letters, digits, `_` and `-`. */
export function isTagCharacter(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    isDigit(unit) ||
    unit === 0x5f ||
    unit === 0x2d
  );
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
