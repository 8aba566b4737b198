import { isNilMap } from '../value/type.ts';
import { GoInt, type GoObject, type Value, type ValueMap } from '../value/value.ts';

/** Matches strings and empty collections as a whole. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g;

/** An error of Go's encoding/json, with Go's own message. */
export class MarshalError extends Error {
  override readonly name = 'MarshalError';
}

export interface JsonStyle {
  /** Text of one indentation level; without it the output is a single line. */
  readonly indent?: string;
  /** Escape `<`, `>` and `&`, as Go does by default. Default true. */
  readonly escapeHtml?: boolean;
}

/**
 * Writes a value like Go's encoding/json: keys in byte order, HTML escaped, invalid UTF-8 as U+FFFD.
 * https://pkg.go.dev/encoding/json#Marshal
 * @throws MarshalError for NaN, infinities and values that contain themselves.
 */
export function writeJson(value: Value, style: JsonStyle = {}): string {
  const escapes = style.escapeHtml === false ? ESCAPED : ESCAPED_WITH_HTML;
  const { indent } = style;
  const above: object[] = [];

  const list = (open: string, close: string, items: readonly string[], depth: number): string => {
    if (items.length === 0) return open + close;
    if (indent === undefined) return open + items.join(',') + close;
    const inner = `\n${indent.repeat(depth + 1)}`;
    return `${open}${inner}${items.join(`,${inner}`)}\n${indent.repeat(depth)}${close}`;
  };

  const write = (item: Value, depth: number): string => {
    if (item === null || isNilMap(item)) return 'null';
    switch (typeof item) {
      case 'string':
        return quoteWith(item, escapes);
      case 'number':
        return jsonNumber(item);
      case 'boolean':
        return item ? 'true' : 'false';
    }
    if (item instanceof GoInt) return item.value.toString();
    if (!Array.isArray(item) && !(item instanceof Map)) return object(item, depth);
    enter(above, item);
    const text = Array.isArray(item)
      ? list(
          '[',
          ']',
          item.map((one) => write(one, depth + 1)),
          depth,
        )
      : list('{', '}', members(item, depth), depth);
    above.pop();
    return text;
  };

  const members = (map: ValueMap, depth: number): string[] => {
    const colon = indent === undefined ? ':' : ': ';
    return [...map.keys()]
      .sort(byteOrder)
      .map((key) => quoteWith(key, escapes) + colon + write(map.get(key) ?? null, depth + 1));
  };

  const object = (item: GoObject, depth: number): string => {
    const json = item.json?.();
    if (json !== undefined) return indent === undefined ? json : indentJson(json, indent, depth);
    return write(item.underlying?.() ?? new Map(), depth);
  };

  return write(value, 0);
}

/**
 * Go checks for cycles only below this depth, and so does this code: such deep trees are rare, and the check has a
 * cost.
 */
const CYCLES_FROM_DEPTH = 1000;
/** Go's stack allows more than JavaScript's; nobody writes anything as deep. */
const DEPTH_LIMIT = 3000;

function enter(above: object[], item: Value[] | ValueMap): void {
  if (above.length >= CYCLES_FROM_DEPTH && (above.includes(item) || above.length >= DEPTH_LIMIT)) {
    const type = Array.isArray(item) ? '[]interface {}' : 'map[string]interface {}';
    throw new MarshalError(`json: unsupported value: encountered a cycle via ${type}`);
  }
  above.push(item);
}

/**
 * Writes a float64 like encoding/json. JavaScript writes the same digits and switches to exponents at the same limits.
 * @throws MarshalError for NaN and infinities.
 */
export function jsonNumber(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new MarshalError(`json: unsupported value: ${name}`);
}

const ESCAPED = /["\\\u0000-\u001f\u2028\u2029]|\p{Surrogate}/gu;
const ESCAPED_WITH_HTML = /["\\<>&\u0000-\u001f\u2028\u2029]|\p{Surrogate}/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoteWith(text: string, escapes: RegExp): string {
  return `"${text.replace(escapes, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Compares two texts as Go does: by their UTF-8 bytes. JavaScript's own order is by UTF-16 units and puts characters
 * outside the Basic Multilingual Plane before U+E000.
 */
function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Ranks units of surrogate pairs after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Breaks compact JSON into a line for each value, and keeps the order of keys. The first line is not indented. */
function indentJson(json: string, indent: string, depth = 0): string {
  let level = depth;
  const breakLine = () => `\n${indent.repeat(level)}`;
  return json.replace(TOKENS, (token) => {
    if (token === '{' || token === '[') {
      level++;
      return token + breakLine();
    }
    if (token === '}' || token === ']') {
      level--;
      return breakLine() + token;
    }
    if (token === ',') return `,${breakLine()}`;
    return token === ':' ? ': ' : token;
  });
}
