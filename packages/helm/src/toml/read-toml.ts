import { quote } from '../value/quote.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { Cursor } from './cursor.ts';
import { readNumberOrTime, readSigned } from './read-number.ts';
import { readLineText, readText, shown } from './read-text.ts';
import { type Path, pathText, Tables } from './tables.ts';
import { TomlError } from './toml-error.ts';

const BLANK = /[\t ]/;
const BREAK = /[\r\n]/;
const BARE = /[\w-]/;
/** Deeper than anyone writes. */
const DEPTH_LIMIT = 500;

/**
 * Reads a text like github.com/BurntSushi/toml 1.6, the library of Helm 4: TOML 1.1 (https://toml.io/en/v1.1.0), except
 * that it permits additions to tables that TOML considers complete. smol-toml, which reads logtool's own file, refuses
 * those and has other messages, which a chart can print with `fromToml`.
 * @throws TomlError with that library's message
 */
export function readToml(text: string): ValueMap {
  const start = text.replace(/^(?:\ufeff|\udcff\udcfe|\udcfe\udcff)/, '');
  if (start.slice(0, 6).includes('\0')) {
    const why = 'files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8';
    throw new TomlError(why, 1, '');
  }
  return new TomlReader(start).read();
}

class TomlReader {
  readonly #cursor: Cursor;
  readonly #tables = new Tables();
  #path: Path = [];
  #key = '';
  #keyLine = 1;
  #depth = 0;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    this.#cursor.lastKey = () => {
      if (this.#key === '') return pathText(this.#path);
      return this.#path.length === 0 ? this.#key : `${pathText(this.#path)}.${this.#key}`;
    };
  }

  read(): ValueMap {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skip(/[\t \r\n]/);
      const next = cursor.peek();
      if (next === '') return this.#tables.root;
      if (next === '#') {
        this.#comment();
        continue;
      }
      if (next === '[') this.#header();
      else this.#pair();
      this.#endOfItem();
    }
  }

  #comment(): void {
    this.#cursor.skip(/[^\r\n]/);
  }

  #endOfItem(): void {
    const cursor = this.#cursor;
    cursor.skip(BLANK);
    if (cursor.peek() === '#') return;
    const next = cursor.next();
    if (next === '' || BREAK.test(next)) return;
    throw cursor.problem(
      `expected a top-level item to end with a newline, comment, or EOF, but got ${shown(next)} instead`,
    );
  }

  #header(): void {
    const cursor = this.#cursor;
    cursor.next();
    const isList = cursor.accept('[');
    const path: string[] = [];
    let line: number | undefined;
    do {
      cursor.skip(BLANK);
      const next = cursor.peek();
      if (next === ']' || next === '')
        throw cursor.problem('unexpected end of table name (table names cannot be empty)');
      if (next === '.') throw cursor.problem('unexpected table separator (table names cannot be empty)');
      path.push(this.#name());
      line ??= cursor.line;
      cursor.skip(BLANK);
    } while (cursor.accept('.'));
    const end = cursor.next();
    if (end !== ']') {
      throw cursor.problem(`expected '.' or ']' to end table name, but got ${shown(end)} instead`);
    }
    if (isList) {
      const second = cursor.next();
      if (second !== ']') {
        throw cursor.problem(
          `expected end of table array name delimiter ']', but got ${shown(second)} instead`,
        );
      }
    }
    this.#keyLine = line;
    this.#open(path, isList);
  }

  /** Reads one part of a name, quoted or bare; an empty bare part causes an error at the next character. */
  #name(): string {
    const mark = this.#cursor.peek();
    if (mark !== '"' && mark !== "'") return this.#cursor.skip(BARE);
    this.#cursor.next();
    return readLineText(this.#cursor, mark);
  }

  /** Returns an error of a table, for the line where the name begins. */
  readonly #fail = (problem: string) => this.#cursor.problemAt(this.#keyLine, problem);

  #open(path: Path, isList: boolean): void {
    this.#tables.open(path, isList, this.#fail, () => {
      this.#path = path.slice(0, -1);
    });
    this.#path = path;
  }

  /** Reads `key = value`; returns the parts of the key and the value, for the enclosing table. */
  #pair(): { readonly path: Path; readonly value: Value } {
    const cursor = this.#cursor;
    const outer = this.#path;
    const path = this.#keyPath();
    this.#key = path.at(-1)!;
    for (const name of path.slice(0, -1)) {
      const inner = [...this.#path, name];
      this.#tables.openImplicit(inner, false, this.#fail);
      this.#path = inner;
    }
    cursor.skip(BLANK);
    const value = this.#value(false);
    this.#tables.set(this.#path, this.#key, value, this.#fail);
    this.#path = outer;
    if (this.#depth === 0) this.#key = '';
    return { path, value };
  }

  #keyPath(): string[] {
    const cursor = this.#cursor;
    cursor.skip(BLANK);
    const first = cursor.peek();
    if (first === '=' || first === '') throw cursor.problem("unexpected '=': key name appears blank");
    if (first === '.') throw cursor.problem("unexpected '.': keys cannot start with a '.'");
    const path: string[] = [];
    do {
      cursor.skip(BLANK);
      const next = cursor.peek();
      if (next === '=' || next === '') throw cursor.problem("unexpected '='");
      if (next === '.') throw cursor.problem("unexpected '.'");
      path.push(this.#name());
      if (path.length === 1) this.#keyLine = cursor.line;
    } while (this.#passKeyEnd() === '.');
    return path;
  }

  /** Consumes the separator after a part of a key. */
  #passKeyEnd(): '.' | '=' {
    const cursor = this.#cursor;
    cursor.skip(BLANK);
    const end = cursor.next();
    if (end === '=' || end === '.') return end;
    if (end === '') throw cursor.problem("unexpected EOF; expected key separator '='");
    const line = end === '\n' ? cursor.line - 1 : cursor.line;
    throw cursor.problemAt(line, `expected '.' or '=', but got ${shown(end)} instead`);
  }

  #value(isInList: boolean): Value {
    const cursor = this.#cursor;
    cursor.skip(BLANK);
    const first = cursor.peek();
    if (/\d/.test(first)) return readNumberOrTime(cursor);
    if (first === '"' || first === "'") return readText(cursor);
    if (/\p{L}/u.test(first)) return readLiteral(cursor);
    cursor.next();
    switch (first) {
      case '[':
        return this.#nested(() => this.#list());
      case '{':
        return this.#nested(() => this.#table(isInList));
      case '+':
      case '-':
        return readSigned(cursor);
      case '.':
        throw cursor.problem("floats must start with a digit, not '.'");
      case '':
        throw cursor.problem('unexpected EOF; expected value');
    }
    const line = first === '\n' ? cursor.line - 1 : cursor.line;
    throw cursor.problemAt(line, `expected value but found ${shown(first)} instead`);
  }

  #nested<Result>(read: () => Result): Result {
    if (++this.#depth > DEPTH_LIMIT) throw this.#cursor.problem('nested too deeply');
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  #list(): Value[] {
    const cursor = this.#cursor;
    this.#tables.markList([...this.#path, this.#key]);
    const list: Value[] = [];
    for (;;) {
      this.#blanks();
      if (cursor.accept(']')) return list;
      if (cursor.peek() === ',') throw this.#unexpectedComma();
      list.push(this.#value(true));
      this.#blanks();
      const end = cursor.next();
      if (end === ']') return list;
      if (end !== ',') {
        throw cursor.problem(`expected a comma (',') or array terminator (']'), but got ${orEnd(end)}`);
      }
    }
  }

  #table(isInList: boolean): ValueMap {
    const cursor = this.#cursor;
    const [outerPath, outerKey] = [this.#path, this.#key];
    const own = [...outerPath, outerKey];
    this.#key = '';
    this.#path = own;
    this.#tables.openImplicit(own, isInList, this.#fail, () => {
      this.#path = outerPath;
    });
    this.#path = own;
    const table: ValueMap = new Map();
    for (let isEnd = false; !isEnd; ) {
      this.#blanks();
      if (cursor.accept('}')) break;
      if (cursor.peek() === ',') throw this.#unexpectedComma();
      const { path, value } = this.#pair();
      this.#put(table, path, value);
      this.#blanks();
      const end = cursor.next();
      isEnd = end === '}';
      if (!isEnd && end !== ',') {
        throw cursor.problem(
          `expected a comma or an inline table terminator '}', but got ${orEnd(end)} instead`,
        );
      }
    }
    this.#path = outerPath;
    this.#key = outerKey;
    return table;
  }

  #put(table: ValueMap, path: Path, value: Value): void {
    let inner = table;
    for (const name of path.slice(0, -1)) {
      const next = inner.get(name) ?? new Map();
      if (!(next instanceof Map)) throw this.#fail(`${quote(pathText(this.#path))} is not a table`);
      inner.set(name, next);
      inner = next;
    }
    inner.set(path.at(-1)!, value);
  }

  #unexpectedComma(): TomlError {
    this.#cursor.next();
    return this.#cursor.problem('unexpected comma');
  }

  /** Skips blanks, line breaks and comments between the parts of a value. */
  #blanks(): void {
    for (;;) {
      this.#cursor.skip(/[\t \r\n]/);
      if (this.#cursor.peek() !== '#') return;
      this.#comment();
    }
  }
}

function orEnd(character: string): string {
  return character === '' ? 'end of file' : `'${character}'`;
}

const NUMBERS = [
  ['inf', Infinity],
  ['nan', Number.NaN],
] as const;

/** Reads a value that begins with a letter. */
function readLiteral(cursor: Cursor): Value {
  for (const [name, value] of NUMBERS) {
    if (!cursor.text.startsWith(name, cursor.at)) continue;
    cursor.at += name.length;
    return value;
  }
  const name = cursor.skip(/\p{L}/u);
  if (name === 'true' || name === 'false') return name === 'true';
  throw cursor.problem(`expected value but found ${quote(name)} instead`);
}
