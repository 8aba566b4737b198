import { plain } from './type.ts';
import { GoInt, type Value } from './value.ts';

/** Whether `if` treats a value as true: not zero, not empty; a struct is always true. */
export function isTrue(value: Value | undefined): boolean {
  switch (typeof value) {
    case 'undefined':
      return false;
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
  }
  const inner = plain(value);
  if (inner === null) return false;
  if (inner instanceof GoInt) return inner.value !== 0n;
  if (Array.isArray(inner)) return inner.length > 0;
  if (inner instanceof Map) return inner.size > 0;
  return typeof inner === 'object' ? true : inner !== '';
}
