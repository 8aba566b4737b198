import type { ValueFlagWhy } from '../failures.ts';
import { readJson } from '../json/read-json.ts';
import { scanJson } from '../json/scan-json.ts';
import { goTypeOf } from '../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../value/value.ts';
import { quoteGo } from '../yaml/go-syntax.ts';

/** An invalid `--set`, with Helm's message without the flag's name, or a limit that Helm does not have. */
export class SetError extends Error {
  override readonly name = 'SetError';
  readonly why: ValueFlagWhy;

  constructor(why: ValueFlagWhy) {
    super(typeof why === 'string' ? why : JSON.stringify(why));
    this.why = why;
  }
}

export type SetMode =
  /** `--set`: true, false, null and integers get their types. */
  | 'typed'
  /** `--set-string`: everything is text. */
  | 'string'
  /** `--set-json`: values are JSON. */
  | 'json';

const INDEX_LIMIT = 65_536;
const NESTING_LIMIT = 30;
/** Maximum nesting of lists in one key. Helm has no limit; each list can be as long as the index limit. */
const LIST_NESTING_LIMIT = 100;

/**
 * Merges `a.b[0].c=1,d={x,y}` into the values, over existing ones.
 * https://helm.sh/docs/intro/using_helm/#the-format-and-limitations-of---set
 * @throws SetError
 */
export function applySet(text: string, values: ValueMap, mode: SetMode): void {
  new SetParser(text, mode).into(values);
}

/** Whether more may follow: at the end of the text, Helm stops and drops unfinished parts. */
type Progress = 'more' | 'end';

class SetParser {
  readonly #characters: readonly string[];
  readonly #mode: SetMode;
  #index = 0;

  constructor(text: string, mode: SetMode) {
    this.#characters = [...text];
    this.#mode = mode;
  }

  into(values: ValueMap): void {
    while (this.#key(values, 0) === 'more');
  }

  /** Reads up to one of the characters and skips it; a backslash makes the next character literal. */
  #until(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = '';
    while (this.#index < this.#characters.length) {
      const character = this.#characters[this.#index++] as string;
      if (stops.includes(character)) return { text, stop: character };
      if (character !== '\\') text += character;
      else if (this.#index < this.#characters.length) text += this.#characters[this.#index++];
    }
    return { text, stop: undefined };
  }

  #key(values: ValueMap, nesting: number): Progress {
    const { text: key, stop } = this.#until('=[,.');
    if (stop === undefined) {
      if (key === '') return 'end';
      throw new SetError(`key ${quoteGo(key)} has no value`);
    }
    if (stop === ',') throw new SetError(`key ${quoteGo(key)} has no value (cannot end with ,)`);
    if (stop === '=') return this.#value((value) => set(values, key, value));
    if (stop === '.') return this.#inner(values, key, nesting + 1);
    const index = this.#listIndex();
    const [list, progress] = this.#item(listIn(values.get(key)), index, nesting);
    set(values, key, list);
    return progress;
  }

  #inner(values: ValueMap, key: string, nesting: number): Progress {
    if (nesting > NESTING_LIMIT) {
      throw new SetError(
        `value name nested level is greater than maximum supported nested level of ${NESTING_LIMIT}`,
      );
    }
    const inner = values.has(key) ? mapIn(values.get(key) as Value) : new Map();
    const progress = this.#key(inner, nesting);
    if (progress === 'more' && inner.size === 0) throw new SetError(`key map ${quoteGo(key)} has no value`);
    if (inner.size > 0) set(values, key, inner);
    return progress;
  }

  #listIndex(): number {
    const { text, stop } = this.#until(']');
    if (stop === undefined) throw new SetError('error parsing index: EOF');
    if (!/^[-+]?\d+$/.test(text)) {
      throw new SetError(`error parsing index: strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`);
    }
    return Number(text);
  }

  /** Reads what follows a list index; returns the list with the item set. */
  #item(list: Value[], index: number, nesting: number, lists = 1): [Value[], Progress] {
    if (lists > LIST_NESTING_LIMIT) throw new SetError({ problem: 'indexes', max: LIST_NESTING_LIMIT });
    if (index < 0) throw new SetError(`negative ${index} index not allowed`);
    const { text, stop } = this.#until('[.=');
    if (text !== '') {
      const runes = [...text].map((character) => `'${character}'`).join(' ');
      throw new SetError(`unexpected data at end of array index: [${runes}]`);
    }
    if (stop === undefined) return [list, 'end'];
    const item = this.#itemAfter(stop, list, index, nesting, lists);
    return item === 'end' ? [list, 'end'] : [withItem(list, index, item.value), 'more'];
  }

  /** Reads the item after a `=`, `[` or `.`; `end` if the text ends before the item. */
  #itemAfter(
    stop: string,
    list: Value[],
    index: number,
    nesting: number,
    lists: number,
  ): { readonly value: Value } | 'end' {
    const existing = list[index] ?? null;
    if (stop === '=') {
      let value: Value = null;
      this.#value((read) => {
        value = read;
      });
      return { value };
    }
    if (stop === '[') {
      const before = existing === null ? [] : listIn(existing);
      const [inner, progress] = this.#item(before, this.#listIndex(), nesting, lists + 1);
      return progress === 'end' ? 'end' : { value: inner };
    }
    const inner: ValueMap = existing instanceof Map ? existing : new Map();
    // Replace a value that is not a table at once: `list[0].x=` has its text, although it ends here.
    if (index < list.length) list[index] = inner;
    return this.#key(inner, nesting) === 'end' ? 'end' : { value: inner };
  }

  /** Reads the value after the `=`. */
  #value(use: (value: Value) => void): Progress {
    if (this.#mode === 'json') {
      use(this.#jsonValue());
      return 'more';
    }
    if (this.#index === this.#characters.length) {
      use('');
      return 'end';
    }
    use(this.#characters[this.#index] === '{' ? this.#list() : this.#scalar(this.#until(',').text));
    return 'more';
  }

  #list(): Value[] {
    this.#index++;
    const list: Value[] = [];
    for (;;) {
      const { text, stop } = this.#until(',}');
      if (stop === undefined) throw new SetError("list must terminate with '}'");
      list.push(this.#scalar(text));
      if (stop === '}') break;
    }
    if (this.#characters[this.#index] === ',') this.#index++;
    return list;
  }

  #jsonValue(): Value {
    if (this.#skipToValue()) return null;
    const rest = this.#characters.slice(this.#index).join('');
    const end = scanJson(rest);
    const value = readJson(rest.slice(0, end));
    this.#index += [...rest.slice(0, end)].length;
    this.#skipToValue();
    return value;
  }

  /** Skips white space; returns true at a comma, which it skips, or at the end: then there is no value. */
  #skipToValue(): boolean {
    for (; this.#index < this.#characters.length; this.#index++) {
      const character = this.#characters[this.#index] as string;
      if (character === ',') {
        this.#index++;
        return true;
      }
      if (!/[\s\u0085]/.test(character)) return false;
    }
    return true;
  }

  #scalar(text: string): Value {
    return this.#mode === 'string' ? text : typedValue(text);
  }
}

const MAX_INT64 = 2n ** 63n - 1n;

function typedValue(text: string): Value {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower === 'null') return null;
  if (text !== '0' && (text.startsWith('0') || !/^[-+]?\d{1,30}$/.test(text))) return text;
  const value = BigInt(text.replace(/^\+/, ''));
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? text : new GoInt(value, 'int64');
}

/** Sets a key, and ignores an empty one. */
function set(values: ValueMap, key: string, value: Value): void {
  if (key !== '') values.set(key, value);
}

function withItem(list: readonly Value[], index: number, item: Value): Value[] {
  if (index > INDEX_LIMIT) {
    throw new SetError(`index of ${index} is greater than maximum supported index of ${INDEX_LIMIT}`);
  }
  const longer = Array.from({ length: Math.max(list.length, index + 1) }, (_, at) => list[at] ?? null);
  longer[index] = item;
  return longer;
}

function listIn(value: Value | undefined): Value[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw wrongType(value, '[]interface {}');
}

function mapIn(value: Value): ValueMap {
  if (value instanceof Map) return value;
  throw wrongType(value, 'map[string]interface {}');
}

function wrongType(value: Value, wanted: string): SetError {
  const actual = value === null ? 'nil' : goTypeOf(value);
  return new SetError(`unable to parse key: interface conversion: interface {} is ${actual}, not ${wanted}`);
}
