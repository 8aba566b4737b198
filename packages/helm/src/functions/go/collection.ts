import { GoError } from '../../template/errors.ts';
import { goFunction, goVariadic } from '../../template/function.ts';
import { boxed, type Held, held } from '../../template/held.ts';
import { elementOf } from '../../template/run/elements.ts';
import { byteLength, bytesToText, GoBytes, textToBytes } from '../../value/bytes.ts';
import { elementTypeOf, goTypeOf, plain, typed } from '../../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../../value/value.ts';

/** Converts an index into something of that length to a number. */
function indexIn(index: Value | undefined, length: number): number {
  if (index === undefined || index === null) throw new GoError('cannot index slice/array with nil');
  if (!(index instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${goTypeOf(index)}`);
  if (index.value < 0n || index.value > BigInt(length)) {
    throw new GoError(`index out of range: ${BigInt.asIntN(64, index.value)}`);
  }
  return Number(index.value);
}

function pastEnd(kind: 'slice' | 'string'): GoError {
  return new GoError(`reflect: ${kind} index out of range`);
}

function keyOf(index: Value | undefined): string {
  if (index === undefined || index === null) throw new GoError('value is nil; should be of type string');
  const key = typeof index === 'string' ? index : undefined;
  if (key === undefined) throw new GoError(`value has type ${goTypeOf(index)}; should be string`);
  return key;
}

function at(item: Value, index: Value | undefined): Held {
  const inner = plain(item);
  if (item instanceof GoBytes) {
    const position = indexIn(index, item.bytes.length);
    if (position === item.bytes.length) throw pastEnd('slice');
    return new GoInt(item.bytes[position]!, 'uint8');
  }
  if (Array.isArray(inner)) {
    const position = indexIn(index, inner.length);
    if (position === inner.length) throw pastEnd('slice');
    return elementTypeOf(inner) === 'interface {}' ? boxed(inner[position]!) : inner[position]!;
  }
  if (typeof inner === 'string') {
    const bytes = textToBytes(inner);
    const position = indexIn(index, bytes.length);
    if (position === bytes.length) throw pastEnd('string');
    return new GoInt(bytes[position]!, 'uint8');
  }
  if (inner instanceof Map) return elementOf(inner as ValueMap, keyOf(index));
  throw new GoError(`can't index item of type ${goTypeOf(item)}`);
}

/** `index x 1 "a"` is x[1]["a"]. */
export const INDEX = goVariadic(
  ['reflect.Value'],
  'reflect.Value',
  'reflect.Value',
  (_call, item, ...indexes) => {
    if (item === undefined || item === null) throw new GoError('index of untyped nil');
    let found: Held = item;
    for (const index of indexes) {
      const inner = held(found);
      if (inner === undefined || inner === null) throw new GoError('index of nil pointer');
      found = at(inner, index);
    }
    return found;
  },
);

/** `slice x 1 2` is x[1:2]; strings by bytes. */
export const SLICE = goVariadic(
  ['reflect.Value'],
  'reflect.Value',
  'reflect.Value',
  (_call, item, ...indexes) => {
    if (item === undefined || item === null) throw new GoError('slice of untyped nil');
    if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
    const inner = plain(item);
    if (typeof inner === 'string') {
      if (indexes.length === 3 && !(item instanceof GoBytes))
        throw new GoError('cannot 3-index slice a string');
      const bytes = textToBytes(inner);
      const [from, to] = bounds(indexes, bytes.length);
      const slice = bytes.subarray(from, to);
      return item instanceof GoBytes ? new GoBytes(slice) : bytesToText(slice);
    }
    if (!Array.isArray(inner)) throw new GoError(`can't slice item of type ${goTypeOf(item)}`);
    const [from, to] = bounds(indexes, inner.length);
    return typed(inner.slice(from, to), goTypeOf(inner));
  },
);

function bounds(indexes: readonly (Value | undefined)[], length: number): [number, number] {
  const given = indexes.map((index) => indexIn(index, length));
  const [from = 0, to = length, limit] = given;
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`);
  if (limit !== undefined && to > limit) throw new GoError(`invalid slice index: ${to} > ${limit}`);
  return [from, to];
}

export const LEN = goFunction(['reflect.Value'], 'int', (_call, item) => {
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  if (item === null) throw new GoError('len of nil pointer');
  if (item instanceof GoBytes) return new GoInt(item.bytes.length);
  const inner = plain(item);
  if (typeof inner === 'string') return new GoInt(byteLength(inner));
  if (Array.isArray(inner)) return new GoInt(inner.length);
  if (inner instanceof Map) return new GoInt(inner.size);
  throw new GoError(`len of type ${goTypeOf(item)}`);
});
