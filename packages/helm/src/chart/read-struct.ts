import type { Value } from '../value/value.ts';
import { decodeYaml } from '../yaml/decode.ts';
import { formatGoFloat } from '../yaml/go-float.ts';
import type { YamlValue } from '../yaml/resolve.ts';
import { stringKeyed } from '../yaml/string-keys.ts';
import { YamlError } from '../yaml/yaml-error.ts';

/**
 * The type of a Go struct field: `text` also accepts numbers and booleans, as in sigs.k8s.io/yaml; `exact-text` does
 * not, as in structs that sigs.k8s.io/yaml reaches through an embedded pointer.
 */
export type FieldKind =
  | { readonly kind: 'text' | 'exact-text' | 'boolean' | 'anything' }
  | { readonly kind: 'list' | 'map'; readonly of: FieldKind }
  | { readonly kind: 'struct'; readonly fields: Fields };

/** Fields by their names in the file. Names are case-insensitive; unknown names are dropped. */
export type Fields = Readonly<Record<string, FieldKind>>;

export const TEXT: FieldKind = { kind: 'text' };
export const BOOLEAN: FieldKind = { kind: 'boolean' };

/** Returns the same fields, with every `text` changed to `exact-text`. */
export function exactly(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exactField(field)]));
}

function exactField(field: FieldKind): FieldKind {
  if (field.kind === 'text') return { kind: 'exact-text' };
  if (field.kind === 'list' || field.kind === 'map') return { kind: field.kind, of: exactField(field.of) };
  return field.kind === 'struct' ? { kind: 'struct', fields: exactly(field.fields) } : field;
}

/** The decoded struct: absent fields are absent, nulls in lists stay. */
export interface StructValue {
  readonly [name: string]: unknown;
}

/** How to treat unexpected values. */
interface Rules {
  /** Whether an unknown field is an error. */
  readonly refusesUnknown: boolean;
  /** Whether texts accept numbers and booleans, as for YAML but not for JSON. */
  readonly convertsToText: boolean;
}

/**
 * Reads YAML into a struct as Go does by way of JSON. Messages use `typeName` for the whole, and `structName` for the
 * struct with the wrong field.
 * @throws YamlError worded as Go's
 */
export function readStruct(
  text: string,
  typeName: string,
  fields: Fields,
  structName = shortName(typeName),
): StructValue {
  return rootOf(decoded(text, false), typeName, fields, { structName, path: '', rules: FROM_YAML });
}

/**
 * Like `readStruct`, with the rules of UnmarshalStrict: no unknown fields, no duplicate keys.
 * @throws YamlError worded as Go's
 */
export function readStructStrictly(text: string, typeName: string, fields: Fields): StructValue {
  const rules = { ...FROM_YAML, refusesUnknown: true };
  return rootOf(decoded(text, true), typeName, fields, { structName: shortName(typeName), path: '', rules });
}

/**
 * Reads the result of JSON.parse into a struct as encoding/json does.
 * @throws YamlError worded as Go's
 */
export function readStructOfJson(value: unknown, typeName: string, fields: Fields): StructValue {
  const rules = { ...FROM_YAML, convertsToText: false };
  return rootOf(mapped(value), typeName, fields, { structName: shortName(typeName), path: '', rules });
}

const FROM_YAML: Rules = { refusesUnknown: false, convertsToText: true };

function shortName(typeName: string): string {
  return typeName.replace(/^.*\./, '');
}

function decoded(text: string, isStrict: boolean): YamlValue {
  try {
    return decodeYaml(text, { isStrict });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new YamlError(`error converting YAML to JSON: ${error.message}`, { cause: error });
  }
}

function rootOf(value: YamlValue, typeName: string, fields: Fields, where: Context): StructValue {
  if (value === null) return {};
  if (!(value instanceof Map)) throw mismatch(value, `value of type ${typeName}`);
  return structOf(value, fields, where);
}

function mapped(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== 'object' || value === null) return value as YamlValue;
  return new Map(Object.entries(value).map(([key, one]) => [key, mapped(one)]));
}

function structOf(map: Map<YamlValue, YamlValue>, fields: Fields, where: Context): StructValue {
  const byLowerCase = namesOf(fields);
  const struct: Record<string, unknown> = {};
  // Keys in the order of the intermediate JSON: of names that differ only in case, the last wins.
  for (const key of [...map.keys()].sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
    const name = byLowerCase.get(String(key).toLowerCase());
    const value = map.get(key) as YamlValue;
    if (name === undefined && where.rules.refusesUnknown) throw unknownField(String(key));
    if (name === undefined || value === null) continue;
    const inner = { ...where, path: where.path === '' ? name : `${where.path}.${name}` };
    struct[name] = fieldOf(value, fields[name] as FieldKind, inner);
  }
  return struct;
}

const lowerCaseNames = new WeakMap<Fields, ReadonlyMap<string, string>>();

/** Returns field names by their lower case; cached, because an index of charts has thousands of the same struct. */
function namesOf(fields: Fields): ReadonlyMap<string, string> {
  const known = lowerCaseNames.get(fields);
  if (known !== undefined) return known;
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  lowerCaseNames.set(fields, names);
  return names;
}

interface Context {
  readonly structName: string;
  readonly path: string;
  readonly rules: Rules;
}

function fieldOf(value: YamlValue, field: FieldKind, context: Context): unknown {
  switch (field.kind) {
    case 'text':
      return textOf(value, context);
    case 'exact-text':
      if (typeof value === 'string') return value;
      throw wrongField(value, context, 'string');
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw wrongField(value, context, 'bool');
    case 'anything':
      return plain(stringKeyed(value, Number));
    case 'list':
      if (!Array.isArray(value)) throw wrongField(value, context, '[]');
      return value.map((item) => (item === null ? null : fieldOf(item, field.of, context)));
    case 'map':
      if (!(value instanceof Map)) throw wrongField(value, context, 'map[string]');
      return Object.fromEntries(
        [...value].map(([key, item]) => [String(key), item === null ? '' : fieldOf(item, field.of, context)]),
      );
    case 'struct':
      if (!(value instanceof Map)) throw wrongField(value, context, 'struct');
      return structOf(value, field.fields, context);
  }
}

function textOf(value: YamlValue, context: Context): string {
  if (typeof value === 'string') return value;
  if (!context.rules.convertsToText) throw wrongField(value, context, 'string');
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatGoFloat(value, 32);
  throw wrongField(value, context, 'string');
}

/** Converts to the plain data that JSON.parse would return. */
function plain(value: Value): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
}

function wrongField(value: YamlValue, { structName, path }: Context, type: string): YamlError {
  return mismatch(value, `struct field ${structName}.${path} of type ${type}`);
}

function unknownField(name: string): YamlError {
  return new YamlError(
    `error unmarshaling JSON: while decoding JSON: json: unknown field ${JSON.stringify(name)}`,
  );
}

function mismatch(value: YamlValue, into: string): YamlError {
  const found = Array.isArray(value)
    ? 'array'
    : value instanceof Map
      ? 'object'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'string'
          ? 'string'
          : 'number';
  return new YamlError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go ${into}`,
  );
}
