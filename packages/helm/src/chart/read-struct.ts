import type { Value } from '../value/value.ts';
import { decodeYaml } from '../yaml/decode.ts';
import { formatGoFloat } from '../yaml/go-float.ts';
import type { YamlValue } from '../yaml/resolve.ts';
import { stringKeyed } from '../yaml/string-keys.ts';
import { YamlError } from '../yaml/yaml-error.ts';

/**
 * What a field of a Go struct holds: `text` takes numbers and booleans too, as sigs.k8s.io/yaml does, `exact-text` does
 * not, as where it sees the struct through an embedded pointer.
 */
export type FieldKind =
  | { readonly kind: 'text' | 'exact-text' | 'boolean' | 'anything' }
  | { readonly kind: 'list' | 'map'; readonly of: FieldKind }
  | { readonly kind: 'struct'; readonly fields: Fields };

/** By the names in the file; other names are dropped, upper and lower case are one. */
export type Fields = Readonly<Record<string, FieldKind>>;

export const TEXT: FieldKind = { kind: 'text' };
export const BOOLEAN: FieldKind = { kind: 'boolean' };

/** The same fields, whose texts accept only a text. */
export function exactly(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exactField(field)]));
}

function exactField(field: FieldKind): FieldKind {
  if (field.kind === 'text') return { kind: 'exact-text' };
  if (field.kind === 'list' || field.kind === 'map') return { kind: field.kind, of: exactField(field.of) };
  return field.kind === 'struct' ? { kind: 'struct', fields: exactly(field.fields) } : field;
}

/** What a struct reads to: absent fields are absent, nulls in lists stay. */
export interface StructValue {
  readonly [name: string]: unknown;
}

/** How unlike values are taken. */
interface Rules {
  /** A field that the struct does not have is an error. */
  readonly refusesUnknown: boolean;
  /** Accepts numbers and booleans as texts, as the path from YAML does and JSON's own does not. */
  readonly convertsToText: boolean;
}

/**
 * Reads YAML into a struct as Go does by way of JSON. `typeName` is what messages call the whole, `structName` the
 * struct whose field is wrong.
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
 * As readStruct, but as UnmarshalStrict does it: no unknown field, no key twice.
 * @throws YamlError worded as Go's
 */
export function readStructStrictly(text: string, typeName: string, fields: Fields): StructValue {
  const rules = { ...FROM_YAML, refusesUnknown: true };
  return rootOf(decoded(text, true), typeName, fields, { structName: shortName(typeName), path: '', rules });
}

/**
 * Reads what JSON.parse gave into a struct as encoding/json does.
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
  // In the order of the JSON between: of names that differ in case the last counts.
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

/** The names of fields by their lower case; made once, as an index of charts has thousands of one struct. */
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

/** As JSON.parse would give it. */
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
