import { GoError } from '../../../template/errors.ts';
import { GoBytes } from '../../../value/bytes.ts';
import { kindOf, plain } from '../../../value/type.ts';
import { GoInt, type Value } from '../../../value/value.ts';

/** The elements of a list of any Go type; undefined for anything else. */
export function elementsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof GoBytes) return [...value.bytes].map((byte) => new GoInt(byte, 'uint8'));
  const inner = plain(value);
  return Array.isArray(inner) ? inner : undefined;
}

/** As `elementsOf`. Anything but a list is an error in the function's words: `Cannot push on type string`. */
export function listOf(value: Value, complaint: string): readonly Value[] {
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  const elements = elementsOf(value);
  if (elements === undefined) throw new GoError(`${complaint} ${kindOf(value)}`);
  return elements;
}
