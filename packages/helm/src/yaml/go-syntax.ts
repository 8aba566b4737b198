import { formatGoFloat } from './go-float.ts';
import type { YamlValue } from './resolve.ts';

/** Formats a YAML value like Go's `%#v`, which go-yaml uses for keys in messages. */
export function goSyntax(value: YamlValue, isInside = false): string {
  if (value === null) return isInside ? 'interface {}(nil)' : '<nil>';
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'number') return formatGoFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map((one) => goSyntax(one, true)).join(', ')}}`;
  if (!(value instanceof Map)) return String(value);
  const entries = [...value].map(([key, one]) => `${goSyntax(key, true)}:${goSyntax(one, true)}`);
  return `map[interface {}]interface {}{${entries.sort().join(', ')}}`;
}

/** Quotes a text like Go's `%q`. */
export function quoteGo(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) => {
    const short = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }[character];
    return short ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}
