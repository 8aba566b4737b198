import { COMPARISON, DECIMAL } from './json-path.ts';
import type { FieldFilter } from './line-search.ts';

const EXPRESSION = /^(?<path>[^=!<>]+)(?<operator>!=|>=|<=|=|>|<)(?<value>.*)$/su;

/** A comparison with something that is no number, or no expression at all. */
export type FieldFault = 'no-number' | 'no-expression';

/**
 * Reads `KEY=VALUE`, `KEY!=VALUE`, or a comparison of numbers such as `KEY>=500`. The key is a path of JSON (`user.id`),
 * or a key of logfmt and other formats that logtool reads.
 */
export function parseFieldExpression(text: string): FieldFilter | FieldFault {
  const { path = '', operator = '', value = '' } = EXPRESSION.exec(text)?.groups ?? {};
  if (path.trim() === '') return 'no-expression';
  if (operator === '=' || operator === '!=') return { path: path.trim(), value, exclude: operator === '!=' };
  if (!DECIMAL.test(value)) return 'no-number';
  return { path: path.trim(), value: `${operator}${value}`, exclude: false };
}

/** Writes a filter as an expression; undefined if none means the same. */
export function writeFieldExpression({ path, value, exclude }: FieldFilter): string | undefined {
  const isComparison = !exclude && COMPARISON.test(value);
  const text = isComparison ? `${path}${value}` : `${path}${exclude ? '!=' : '='}${value}`;
  const read = parseFieldExpression(text);
  const isSame = typeof read === 'object' && read.path === path && read.value === value;
  return isSame && read.exclude === exclude ? text : undefined;
}
