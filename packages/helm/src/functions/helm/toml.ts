import { GoError } from '../../template/errors.ts';
import { goFunction } from '../../template/function.ts';
import { quotedKey, quotedText } from '../../toml/quote.ts';
import { readToml } from '../../toml/read-toml.ts';
import { TomlError } from '../../toml/toml-error.ts';
import { formatFloat } from '../../value/float.ts';
import { sortedKeys } from '../../value/order.ts';
import { goTypeOf, plain } from '../../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../../value/value.ts';

/** `toToml`, in the format of github.com/BurntSushi/toml; returns an error as the text. */
export const TO_TOML = goFunction(['interface {}'], 'string', (call, value) => {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  try {
    const writer = new TomlWriter();
    writer.root(value);
    call.charge(writer.text.length);
    return writer.text;
  } catch (error) {
    if (!(error instanceof TomlProblem)) throw error;
    return error.message;
  }
});

/** `fromToml`; returns an error under the key `Error` of the map. */
export const FROM_TOML = goFunction(['string'], 'map[string]interface {}', (call, text) => {
  call.charge(text.length);
  try {
    return readToml(text);
  } catch (error) {
    if (error instanceof TomlError) return new Map([['Error', error.message]]);
    throw error;
  }
});

class TomlProblem extends Error {}

const INDENT = '  ';

class TomlWriter {
  text = '';

  root(value: Value): void {
    const inner = plain(value);
    if (inner instanceof Map) this.#members(inner, []);
    else if (isTableOrTables(value))
      throw new TomlProblem('toml: top-level values must be Go maps or structs');
    else this.text += this.#element(value);
  }

  #members(map: ValueMap, path: readonly string[]): void {
    const keys = sortedKeys(map);
    const isTable = (key: string) => isTableOrTables(map.get(key)!);
    for (const key of keys) if (!isTable(key)) this.#member(map.get(key)!, path, key);
    for (const key of keys) if (isTable(key)) this.#table(map.get(key)!, [...path, key]);
  }

  #member(value: Value, path: readonly string[], key: string): void {
    if (value === null) return;
    this.text += `${INDENT.repeat(path.length)}${quotedKey(key)} = ${this.#element(value)}\n`;
  }

  #table(value: Value, path: readonly string[]): void {
    const inner = plain(value);
    const name = path.map(quotedKey).join('.');
    const indent = INDENT.repeat(path.length - 1);
    if (Array.isArray(inner)) {
      for (const item of inner) {
        this.#blankLine();
        this.text += `${indent}[[${name}]]\n`;
        this.#members(plain(item) as ValueMap, path);
      }
      return;
    }
    if (path.length === 1) this.#blankLine();
    this.text += `${indent}[${name}]\n`;
    this.#members(inner as ValueMap, path);
  }

  #blankLine(): void {
    if (this.text !== '') this.text += '\n';
  }

  #element(value: Value): string {
    const inner = plain(value);
    if (typeof inner === 'string') return quotedText(inner);
    if (typeof inner === 'boolean') return String(inner);
    if (typeof inner === 'number') return number(inner);
    if (inner instanceof GoInt) return inner.value.toString();
    if (Array.isArray(inner)) return `[${inner.map((item) => this.#item(item)).join(', ')}]`;
    if (inner instanceof Map) return this.#inline(inner);
    if (inner === null) throw new TomlProblem('toml: cannot encode array with nil element');
    throw new TomlProblem(`toml: unsupported type: ${goTypeOf(inner)}`);
  }

  #item(item: Value): string {
    if (item === null) throw new TomlProblem('toml: cannot encode array with nil element');
    return this.#element(item);
  }

  #inline(map: ValueMap): string {
    const keys = sortedKeys(map);
    const direct = keys.filter((key) => !isTableOrTables(map.get(key)!));
    const tables = keys.filter((key) => isTableOrTables(map.get(key)!));
    return `{${this.#inlineMembers(map, direct, tables.length > 0)}${this.#inlineMembers(map, tables, false)}}`;
  }

  /** Skips a nil but keeps the comma before it: only the last key has none after it. */
  #inlineMembers(map: ValueMap, keys: readonly string[], endsWithComma: boolean): string {
    const members = keys.map((key, index) => {
      const value = map.get(key)!;
      if (value === null) return '';
      const comma = endsWithComma || index < keys.length - 1 ? ', ' : '';
      return `${quotedKey(key)} = ${this.#element(value)}${comma}`;
    });
    return members.join('');
  }
}

function isTableOrTables(value: Value): boolean {
  const inner = plain(value);
  if (inner instanceof Map) return true;
  if (!Array.isArray(inner) || inner.length === 0) return false;
  if (inner.includes(null)) throw new TomlProblem('toml: cannot encode array with nil element');
  return inner.every((item) => plain(item) instanceof Map);
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value, 'g');
  return /[.e]/.test(text) ? text : `${text}.0`;
}
