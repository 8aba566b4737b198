import { limitError } from '../../../template/budget.ts';
import { GoError } from '../../../template/errors.ts';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
  goVariadic,
} from '../../../template/function.ts';
import { boxed } from '../../../template/held.ts';
import { sortedKeys } from '../../../value/order.ts';
import { goTypeOf, isGoObject, isNilMap, nilMap, plain, typed } from '../../../value/type.ts';
import type { Value, ValueMap } from '../../../value/value.ts';
import { assertionError, isEmpty } from '../flow.ts';
import { textOf } from '../text/text-of.ts';

/** The charge for each element of a copy, in characters of text. */
const COPY_UNITS = 8;

const MAP = 'map[string]interface {}';

const DICT = goVariadic([], 'interface {}', MAP, (call, ...items) => {
  call.charge(items.length);
  const dict: ValueMap = new Map();
  for (let at = 0; at < items.length; at += 2)
    dict.set(textOf(items[at] ?? null), at + 1 < items.length ? (items[at + 1] ?? null) : '');
  return dict;
});

const GET = goFunction([MAP, 'string'], 'interface {}', (_call, dict, key) =>
  boxed(dict.has(key) ? (dict.get(key) ?? null) : ''),
);

const SET = goFunction([MAP, 'string', 'interface {}'], MAP, (_call, dict, key, value) => {
  if (isNilMap(dict)) throw new GoError('assignment to entry in nil map');
  dict.set(key, value);
  return dict;
});

const UNSET = goFunction([MAP, 'string'], MAP, (_call, dict, key) => {
  dict.delete(key);
  return dict;
});

const PLUCK = goVariadic(['string'], MAP, '[]interface {}', (_call, key, ...dicts) =>
  dicts.filter((dict) => dict.has(key)).map((dict) => dict.get(key) ?? null),
);

/** Go returns keys and values unordered; sorting them makes renderings repeatable. */
const KEYS = goVariadic([], MAP, '[]string', (call, ...dicts) => {
  const keys = dicts.flatMap(sortedKeys);
  call.charge(keys.length);
  return typed<Value[]>(keys, '[]string');
});
const VALUES = goFunction([MAP], '[]interface {}', (call, dict) => {
  call.charge(dict.size);
  return sortedKeys(dict).map((key) => dict.get(key) ?? null);
});

const PICK = goVariadic([MAP], 'string', MAP, (call, dict, ...keys) => {
  call.charge(keys.length);
  return new Map(keys.filter((key) => dict.has(key)).map((key) => [key, dict.get(key) ?? null]));
});
const OMIT = goVariadic([MAP], 'string', MAP, (call, dict, ...keys) => {
  call.charge(dict.size);
  const omitted = new Set(keys);
  return new Map([...dict].filter(([key]) => !omitted.has(key)));
});

const merging = (overwrite: boolean) =>
  goVariadic([MAP], MAP, 'interface {}', (call: FunctionCall, target, ...sources) => {
    const merged = isNilMap(target) && sources.some((source) => !isNilMap(source)) ? new Map() : target;
    for (const source of sources) mergeInto(call, merged, source, overwrite);
    return boxed(merged);
  });

const DIG = goVariadic([], 'interface {}', 'interface {}', (_call, ...items) => {
  if (items.length < 3) throw new GoError('dig needs at least three arguments');
  const dict = items.at(-1) ?? null;
  const otherwise = items.at(-2) ?? null;
  const map = mapOf(dict);
  const keys = items.slice(0, -2).map((key) => {
    if (typeof key !== 'string') throw assertionError(goTypeOf(key), 'string');
    return key;
  });
  let current: Value = map;
  for (const key of keys) {
    const level = mapOf(current);
    if (!level.has(key)) return boxed(otherwise);
    current = level.get(key) ?? null;
  }
  return boxed(current);
});

/** Returns the value if it has exactly this map type; named types fail. */
function mapOf(value: Value): ValueMap {
  if (value instanceof Map && goTypeOf(value) === MAP) return value;
  throw assertionError(goTypeOf(value), MAP);
}

const COPY = goFunction(['interface {}'], 'interface {}', (call, value) => {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return boxed(deepCopy(call, value));
});

/** Sprig's dictionary functions: http://masterminds.github.io/sprig/dicts.html */
export const DICT_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['dict', DICT],
  ['get', GET],
  ['set', SET],
  ['unset', UNSET],
  ['hasKey', goFunction([MAP, 'string'], 'bool', (_call, dict, key) => dict.has(key))],
  ['pluck', PLUCK],
  ['keys', KEYS],
  ['values', VALUES],
  ['pick', PICK],
  ['omit', OMIT],
  ['merge', merging(false)],
  ['mustMerge', merging(false)],
  ['mergeOverwrite', merging(true)],
  ['mustMergeOverwrite', merging(true)],
  ['dig', DIG],
  ['deepCopy', COPY],
  ['mustDeepCopy', COPY],
]);

/** Copies lists and maps recursively. A value that contains itself is an error: its copy would be infinite. */
function deepCopy(call: FunctionCall, value: Value, depth = 0): Value {
  if (depth > 1000) throw limitError({ of: 'nested-value' });
  if (Array.isArray(value)) {
    call.charge(COPY_UNITS * (1 + value.length));
    const copy = value.map((item) => deepCopy(call, item, depth + 1));
    const type = goTypeOf(value);
    return type === '[]interface {}' ? copy : typed(copy, type);
  }
  if (value instanceof Map) {
    call.charge(COPY_UNITS * (1 + value.size));
    if (isNilMap(value)) return nilMap();
    const copy = new Map([...value].map(([key, item]) => [key, deepCopy(call, item, depth + 1)]));
    const type = goTypeOf(value);
    return type === 'map[string]interface {}' ? copy : typed(copy, type);
  }
  if (!isGoObject(value) || value.around === undefined) return value;
  return value.around(deepCopy(call, plain(value), depth + 1));
}

/**
 * Merges `source` into `target`, which it changes, as mergo does for Sprig (https://github.com/darccio/mergo). Nested
 * maps merge recursively. Of other values the target's stays unless it is empty; with `overwrite` the source's wins,
 * even if empty, except for an empty map over a map. Nil never fills a gap; it only overwrites.
 */
function mergeInto(
  call: FunctionCall,
  target: ValueMap,
  source: ValueMap,
  overwrite: boolean,
  depth = 0,
): void {
  if (depth > 1000) throw limitError({ of: 'nested-value' });
  call.charge(source.size);
  // Nothing can write to a nested nil map, so the source replaces it, like an empty map.
  if (isNilMap(target)) return;
  for (const [key, value] of source) {
    const held = target.get(key);
    const [below, above] = [plain(held ?? null), plain(value)];
    if (above instanceof Map && below instanceof Map) {
      mergeInto(call, below, above, overwrite, depth + 1);
      if (!isEmpty(below)) continue;
    }
    const isFree = value !== null && (held === undefined || isEmpty(held));
    if (overwrite || isFree) target.set(key, value);
  }
}
