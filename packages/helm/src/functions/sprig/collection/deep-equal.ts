import { GoBytes } from '../../../value/bytes.ts';
import { goTypeOf, isNilMap, plain } from '../../../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../../../value/value.ts';

/** Go's reflect.DeepEqual: values of different types are never equal, 1 and 1.0 are not. */
export function deepEqual(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a === b) return true;
  if (goTypeOf(a) !== goTypeOf(b)) return false;
  if (a instanceof GoInt) return b instanceof GoInt && a.value === b.value;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b);
  if (a instanceof GoBytes && b instanceof GoBytes) return Buffer.compare(a.bytes, b.bytes) === 0;
  const [insideA, insideB] = [plain(a), plain(b)];
  return insideA === a ? String(a) === String(b) : deepEqual(insideA, insideB);
}

function equalLists(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, at) => deepEqual(item, b[at] ?? null));
}

function equalMaps(a: ValueMap, b: ValueMap): boolean {
  if (a.size !== b.size || isNilMap(a) !== isNilMap(b)) return false;
  return [...a].every(([key, item]) => b.has(key) && deepEqual(item, b.get(key) ?? null));
}
