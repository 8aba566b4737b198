import { bytesToText, GoBytes } from '../../../value/bytes.ts';
import { sprintf } from '../../../value/print.ts';
import { plain } from '../../../value/type.ts';
import type { Value } from '../../../value/value.ts';

/** A value as Sprig makes a text of it: `toString`, and what `quote` and `join` take. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoBytes) return bytesToText(value.bytes);
  return sprintf('%v', [value]);
}

/** The texts of a list, nil left out; a value that is no list is the only one of its list. */
export function textsOf(value: Value): string[] {
  if (value === null) return [];
  const inner = plain(value);
  if (!Array.isArray(inner)) return [textOf(value)];
  return inner.filter((item) => item !== null).map(textOf);
}
