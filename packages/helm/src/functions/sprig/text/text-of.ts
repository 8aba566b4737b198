import { bytesToText, GoBytes } from '../../../value/bytes.ts';
import { sprintf } from '../../../value/print.ts';
import { plain } from '../../../value/type.ts';
import type { Value } from '../../../value/value.ts';

/** Converts a value to text like Sprig's `toString`, `quote` and `join`. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoBytes) return bytesToText(value.bytes);
  return sprintf('%v', [value]);
}

/** Returns the texts of a list without nils; any other value counts as a list of one. */
export function textsOf(value: Value): string[] {
  if (value === null) return [];
  const inner = plain(value);
  if (!Array.isArray(inner)) return [textOf(value)];
  return inner.filter((item) => item !== null).map(textOf);
}
