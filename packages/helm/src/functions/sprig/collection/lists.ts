import { GoError } from '../../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../../template/function.ts';
import { boxed } from '../../../template/held.ts';
import { GoBytes } from '../../../value/bytes.ts';
import { goTypeOf, kindOf, nilList, plain, typed } from '../../../value/type.ts';
import { GoInt, type Value } from '../../../value/value.ts';
import { isEmpty } from '../flow.ts';
import { toInt } from '../number/cast.ts';
import { deepEqual } from './deep-equal.ts';

const LIST = goVariadic([], 'interface {}', '[]interface {}', (call, ...items) => {
  call.charge(items.length);
  return items;
});

const added = (complaint: string, add: (list: readonly Value[], item: Value) => Value[]) =>
  goFunction(['interface {}', 'interface {}'], '[]interface {}', (call, list, item) => {
    const items = listOf(list, complaint);
    call.charge(items.length);
    return add(items, item);
  });

/** Makes a function that returns a list made from a list. */
const changed = (complaint: string, change: (list: readonly Value[]) => Value[]) =>
  goFunction(['interface {}'], '[]interface {}', (call, list) => {
    const items = listOf(list, complaint);
    call.charge(items.length);
    return change(items);
  });

/** Makes a function that returns one element of a list; nil if the list is empty. */
const picked = (complaint: string, at: number) =>
  goFunction(['interface {}'], 'interface {}', (_call, list) =>
    boxed(listOf(list, complaint).at(at) ?? null),
  );

function distinct(items: readonly Value[]): Value[] {
  const found: Value[] = [];
  for (const item of items) if (!found.some((other) => deepEqual(item, other))) found.push(item);
  return found;
}

const UNIQ = goFunction(['interface {}'], '[]interface {}', (call, list) => {
  const items = listOf(list, 'Cannot find uniq on type');
  call.charge(items.length ** 2 / 16);
  return distinct(items);
});

const WITHOUT = goVariadic(['interface {}'], 'interface {}', '[]interface {}', (call, list, ...omitted) => {
  const items = listOf(list, 'Cannot find without on type');
  call.charge((items.length * omitted.length) / 16);
  return items.filter((item) => !omitted.some((other) => deepEqual(other, item)));
});

const HAS = goFunction(['interface {}', 'interface {}'], 'bool', (_call, wanted, list) => {
  if (list === null) return false;
  return listOf(list, 'Cannot find has on type').some((item) => deepEqual(wanted, item));
});

const SLICE = goVariadic(['interface {}'], 'interface {}', 'interface {}', (_call, list, ...bounds) => {
  const items = listOf(list, 'list should be type of slice or array but');
  if (items.length === 0) return boxed(null);
  const from = Number(toInt(bounds[0] ?? false).value);
  const to = bounds.length < 2 ? items.length : Number(toInt(bounds[1] ?? null).value);
  if (from < 0 || to < from || to > items.length)
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  const inner = plain(list);
  const slice = items.slice(from, to);
  return boxed(
    Array.isArray(inner) && goTypeOf(inner) !== '[]interface {}' ? typed(slice, goTypeOf(inner)) : slice,
  );
});

const CONCAT = goVariadic([], 'interface {}', 'interface {}', (call, ...lists) => {
  const all = lists.flatMap((list) => {
    if (list === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
    const items = elementsOf(list);
    if (items === undefined) throw new GoError(`Cannot concat type ${kindOf(list)} as list`);
    return items;
  });
  call.charge(all.length);
  return boxed(all.length === 0 ? nilList() : all);
});

const CHUNK = goFunction(['int', 'interface {}'], '[][]interface {}', (call, size, list) => {
  const items = listOf(list, 'Cannot chunk type');
  call.charge(items.length);
  const width = Number(size.value);
  const chunked = chunkCount(items.length, width);
  if (chunked < 0 || (chunked > 0 && width < 0))
    throw new GoError('runtime error: makeslice: len out of range');
  if (chunked === 0) return typed([], '[][]interface {}');
  const chunks: Value[] = [];
  for (let at = 0; at < items.length; at += width) chunks.push(items.slice(at, at + width));
  return typed(chunks, '[][]interface {}');
});

const twice = (name: string, must: string, made: GoFunction): [string, GoFunction][] => [
  [name, made],
  [must, made],
];

/** Sprig's list functions: http://masterminds.github.io/sprig/lists.html */
export const LIST_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['list', LIST],
  ['tuple', LIST],
  ...twice(
    'append',
    'mustAppend',
    added('Cannot push on type', (list, item) => [...list, item]),
  ),
  ...twice(
    'push',
    'mustPush',
    added('Cannot push on type', (list, item) => [...list, item]),
  ),
  ...twice(
    'prepend',
    'mustPrepend',
    added('Cannot prepend on type', (list, item) => [item, ...list]),
  ),
  ...twice('first', 'mustFirst', picked('Cannot find first on type', 0)),
  ...twice('last', 'mustLast', picked('Cannot find last on type', -1)),
  ...twice(
    'rest',
    'mustRest',
    changed('Cannot find rest on type', (list) => (list.length === 0 ? nilList() : list.slice(1))),
  ),
  ...twice(
    'initial',
    'mustInitial',
    changed('Cannot find initial on type', (list) => (list.length === 0 ? nilList() : list.slice(0, -1))),
  ),
  ...twice(
    'reverse',
    'mustReverse',
    changed('Cannot find reverse on type', (list) => list.toReversed()),
  ),
  ...twice(
    'compact',
    'mustCompact',
    changed('Cannot compact on type', (list) => list.filter((item) => !isEmpty(item))),
  ),
  ...twice('uniq', 'mustUniq', UNIQ),
  ...twice('without', 'mustWithout', WITHOUT),
  ...twice('has', 'mustHas', HAS),
  ...twice('slice', 'mustSlice', SLICE),
  ...twice('chunk', 'mustChunk', CHUNK),
  ['concat', CONCAT],
]);

/** Counts chunks with floats like Sprig, which gives 0 for most negative widths. */
function chunkCount(length: number, width: number): number {
  const count = Math.floor((length - 1) / width) + 1;
  return Number.isFinite(count) ? count : -1;
}

/** Returns the elements of a list of any Go type; undefined for anything else. */
function elementsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof GoBytes) return [...value.bytes].map((byte) => new GoInt(byte, 'uint8'));
  const inner = plain(value);
  return Array.isArray(inner) ? inner : undefined;
}

/** Like `elementsOf`, but throws for anything else, with the function's wording: `Cannot push on type string`. */
function listOf(value: Value, complaint: string): readonly Value[] {
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  const elements = elementsOf(value);
  if (elements === undefined) throw new GoError(`${complaint} ${kindOf(value)}`);
  return elements;
}
