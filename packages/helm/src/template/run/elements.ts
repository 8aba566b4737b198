import { GoBytes } from '../../value/bytes.ts';
import { sortedKeys } from '../../value/order.ts';
import { elementTypeOf, plain } from '../../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../../value/value.ts';
import { boxed, type Held } from '../held.ts';

/** Returns what range iterates over: index or key, and element. Undefined if the value is not iterable. */
export function elements(value: Value): Iterable<readonly [Held, Held]> | undefined {
  const collection = plain(value);
  if (collection === null) return [];
  if (collection instanceof GoInt) return countTo(collection);
  if (Array.isArray(collection)) return listElements(collection);
  return collection instanceof Map ? mapElements(collection) : undefined;
}

/** Returns a map's value for a key, or the zero value of its element type. */
export function elementOf(map: ValueMap, key: string): Held {
  const type = elementTypeOf(map);
  const value = map.get(key);
  if (type === 'interface {}') return boxed(value ?? null);
  return value === undefined ? zeroOf(type) : value;
}

function zeroOf(type: string): Held {
  switch (type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'float64':
      return 0;
    case 'int':
    case 'int64':
      return new GoInt(0, type);
    case '[]uint8':
      return new GoBytes(new Uint8Array());
    default:
      return boxed(null);
  }
}

function* countTo(count: GoInt): Generator<readonly [Held, Held]> {
  for (let at = 0n; at < count.value; at++) yield [undefined, new GoInt(at, count.kind)];
}

function* listElements(list: Value[]): Generator<readonly [Held, Held]> {
  const isAny = elementTypeOf(list) === 'interface {}';
  for (let at = 0; at < list.length; at++) {
    yield [new GoInt(at), isAny ? boxed(list[at]!) : list[at]!];
  }
}

/** Returns a snapshot: changes by the loop body have no effect. */
function mapElements(map: ValueMap): readonly (readonly [Held, Held])[] {
  return sortedKeys(map).map((key) => [key, elementOf(map, key)]);
}
