import { GoInt, type GoKind, type GoObject, type Value, type ValueMap } from './value.ts';

const types = new WeakMap<object, string>();
const nils = new WeakSet<object>();

/** Sets the Go type of a list or map, if not []interface {} or map[string]interface {}: `typed(words, '[]string')`. */
export function typed<Kind extends Value[] | ValueMap>(value: Kind, goType: string): Kind {
  types.set(value, goType);
  return value;
}

/** Returns a nil map[string]interface{}: reads as empty, toYaml writes null, and writing to it panics. */
export function nilMap(): ValueMap {
  const map: ValueMap = new Map();
  nils.add(map);
  return map;
}

/** Returns a nil []interface{}: reads as empty, and toJson writes null. */
export function nilList(goType = '[]interface {}'): Value[] {
  const list = typed<Value[]>([], goType);
  nils.add(list);
  return list;
}

/** Whether a value is a nil map or a nil list. */
export function isNilMap(value: Value): boolean {
  return typeof value === 'object' && value !== null && nils.has(value);
}

/** Returns the result of `printf "%T"`; `<nil>` for nil. */
export function goTypeOf(value: Value): string {
  if (value === null) return '<nil>';
  if (isGoObject(value)) return value.goType;
  return basicType(value) ?? typeOfCollection(value as Value[] | ValueMap);
}

function typeOfCollection(value: Value[] | ValueMap): string {
  return types.get(value) ?? (Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}');
}

/** Returns the name of a type that is also its kind. */
function basicType(value: Value): 'string' | 'bool' | 'float64' | GoInt['kind'] | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
  }
  return value instanceof GoInt ? value.kind : undefined;
}

/** Returns the Go type of a list's or map's elements: `interface {}` for any type. */
export function elementTypeOf(value: Value[] | ValueMap): string {
  const type = types.get(value);
  if (type === undefined) return 'interface {}';
  return /^(?:map\[\w+\]|\[\])(.*)$/.exec(type)?.[1] ?? 'interface {}';
}

export function kindOf(value: Value | undefined): GoKind {
  if (value === undefined || value === null) return 'invalid';
  if (isGoObject(value)) return objectKind(value);
  return basicType(value) ?? (Array.isArray(value) ? 'slice' : 'map');
}

function objectKind(value: GoObject): GoKind {
  return value.kind ?? (value.goType.startsWith('*') ? 'ptr' : 'struct');
}

/** Returns the value that `range`, `len` and `index` work on: the list or map inside an object with a named Go type. */
export function plain(value: Value): Value {
  return isGoObject(value) ? (value.underlying?.() ?? value) : value;
}

export function isGoObject(value: Value | undefined): value is GoObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof GoInt) &&
    !Array.isArray(value) &&
    !(value instanceof Map)
  );
}
