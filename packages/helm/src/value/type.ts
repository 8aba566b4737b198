import { GoInt, type GoKind, type GoObject, type Value, type ValueMap } from './value.ts';

const types = new WeakMap<object, string>();
const nils = new WeakSet<object>();

/** Gives a list or map another Go type than []interface {} or map[string]interface {}: `typed(words, '[]string')`. */
export function typed<Kind extends Value[] | ValueMap>(value: Kind, goType: string): Kind {
  types.set(value, goType);
  return value;
}

/** A nil map[string]interface{}: it reads as empty, toYaml says null and writing to it panics. */
export function nilMap(): ValueMap {
  const map: ValueMap = new Map();
  nils.add(map);
  return map;
}

/** A nil []interface{}: it reads as empty, toJson says null. */
export function nilList(goType = '[]interface {}'): Value[] {
  const list = typed<Value[]>([], goType);
  nils.add(list);
  return list;
}

/** A nil map, or a nil list. */
export function isNilMap(value: Value): boolean {
  return typeof value === 'object' && value !== null && nils.has(value);
}

/** As `printf "%T"` says it; `<nil>` for nil. */
export function goTypeOf(value: Value): string {
  if (value === null) return '<nil>';
  if (isGoObject(value)) return value.goType;
  return basicType(value) ?? typeOfCollection(value as Value[] | ValueMap);
}

function typeOfCollection(value: Value[] | ValueMap): string {
  return types.get(value) ?? (Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}');
}

/** The name of a type that is its own kind. */
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

/** The Go type of an element of a list or map: `interface {}` when it may be anything. */
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

/** What `range`, `len` and `index` see: the list or map inside an object whose Go type is a named one. */
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
