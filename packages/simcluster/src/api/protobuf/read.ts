import { ApiError, badRequest } from '../../api-error.ts';
import { findType, groupName } from '../schema/find-type.ts';
import type { Scalar, Shape, StructShape, Field as TypeField } from '../schema/shape.ts';
import { type Field, fixedDouble, readFields, textOf } from './wire.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/**
 * Reads an object that a client posts as protobuf, in the envelope of k8s.io/apimachinery (runtime.Unknown). Undefined
 * if its kind is unknown.
 * @throws ApiError 400 if it is malformed, 415 if it has an unsupported field
 */
export function readProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) return undefined;
  // Besides its type (1), the envelope holds the object itself (2) and its encoding (3 and 4).
  const envelope = readFields(bytes.subarray(MAGIC.length));
  const type = textsOf(bytesOf(envelope, 1));
  const [apiVersion = '', kind = ''] = [type.get(1), type.get(2)];
  const shape = typeOf(apiVersion, kind);
  if (shape === undefined) return undefined;
  return { apiVersion, kind, ...decode(bytesOf(envelope, 2), shape) };
}

function typeOf(apiVersion: string, kind: string): StructShape | undefined {
  if (kind === 'DeleteOptions') return findType('meta.DeleteOptions');
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return findType(`${groupName(group ?? '', version ?? '')}.${kind}`);
}

function bytesOf(fields: readonly Field[], number: number): Uint8Array {
  const value = fields.find((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function textsOf(bytes: Uint8Array): ReadonlyMap<number, string> {
  return new Map(
    readFields(bytes).map(({ number, value }) => [number, typeof value === 'number' ? '' : textOf(value)]),
  );
}

/**
 * Decodes a message. Throws for a field number that the type lacks, unless its value is empty: rejecting the object is
 * better than losing a part of it.
 */
function decode(bytes: Uint8Array, shape: StructShape): Record<string, unknown> {
  const result = new Map<string, unknown>();
  for (const { number, value } of readFields(bytes)) {
    const field = shape.numbered.get(number);
    if (field === undefined) refuseUnknown(number, value);
    else if ('kind' in field) addEmbedded(result, field, value);
    else addField(result, field, value);
  }
  return Object.fromEntries(result);
}

function refuseUnknown(number: number, value: Uint8Array | number): void {
  if (!isEmptyValue(value)) throw unsupported(number);
}

/** Adds the fields of an embedded type to those of the surrounding type. */
function addEmbedded(result: Map<string, unknown>, type: StructShape, value: Uint8Array | number): void {
  if (!(value instanceof Uint8Array)) return;
  for (const [name, inner] of Object.entries(decode(value, type))) result.set(name, inner);
}

function addField(result: Map<string, unknown>, field: TypeField, value: Uint8Array | number): void {
  const read = readValue(field.shape, value, result.get(field.name));
  if (isWritten(field, read)) result.set(field.name, read);
}

function isEmptyValue(value: Uint8Array | number): boolean {
  return value instanceof Uint8Array ? value.length === 0 : value === 0;
}

/**
 * Whether JSON would contain the field. Go writes every field that is not a pointer; an empty one means the same as an
 * absent one, which JSON omits.
 */
function isWritten(field: TypeField, value: unknown): boolean {
  if (value === undefined) return false;
  return field.pointer || field.always || (value !== '' && value !== 0 && value !== false);
}

function unsupported(number: number): ApiError {
  return new ApiError(
    415,
    'UnsupportedMediaType',
    `field ${number} of a protobuf message: the simulated cluster does not read it; post the object as JSON or YAML (kubectl apply -f)`,
  );
}

function readValue(shape: Shape, value: Uint8Array | number, before: unknown): unknown {
  switch (shape.kind) {
    case 'struct':
      return value instanceof Uint8Array ? decode(value, shape) : undefined;
    case 'list':
      return [...(Array.isArray(before) ? before : []), ...itemsOf(shape.items, value)];
    case 'map':
      return value instanceof Uint8Array ? withEntry(shape.values, value, before) : undefined;
    case 'any': {
      // A RawExtension or FieldsV1 is a separate message that holds JSON.
      const raw = value instanceof Uint8Array ? bytesOf(readFields(value), 1) : new Uint8Array();
      return raw.length === 0 ? undefined : parseJson(textOf(raw));
    }
    case 'scalar':
      return scalarOf(shape.scalar, value);
  }
}

function itemsOf(shape: Shape, value: Uint8Array | number): readonly unknown[] {
  const item = readValue(shape, value, undefined);
  return item === undefined ? [] : [item];
}

function withEntry(values: Shape, value: Uint8Array, before: unknown): Record<string, unknown> {
  const entry = readFields(value);
  const key = textOf(bytesOf(entry, 1));
  const inner = entry.find((field) => field.number === 2)?.value ?? new Uint8Array();
  const read =
    values.kind === 'list' && inner instanceof Uint8Array
      ? // A list as a map's value is a message with the items in its field 1.
        readFields(inner).flatMap((item) => itemsOf(values.items, item.value))
      : readValue(values, inner, undefined);
  const entries = Object.entries((before ?? {}) as Record<string, unknown>);
  return Object.fromEntries([...entries, [key, read ?? '']]);
}

function scalarOf(scalar: Scalar, value: Uint8Array | number): unknown {
  if (typeof value === 'number') {
    if (scalar === 'boolean') return value !== 0;
    return scalar === 'integer' ? value : undefined;
  }
  switch (scalar) {
    case 'string':
      return textOf(value);
    case 'bytes':
      return Buffer.from(value).toString('base64');
    case 'number':
      return fixedDouble(value);
    case 'quantity':
      return textOf(bytesOf(readFields(value), 1));
    case 'int-or-string': {
      const fields = readFields(value);
      const isText = fields.some(({ number, value: type }) => number === 1 && type === 1);
      return isText ? textOf(bytesOf(fields, 3)) : numberOf(fields, 2);
    }
    case 'time':
    case 'micro-time':
      return timeOf(value, scalar);
    case 'boolean':
    case 'integer':
      return undefined;
  }
}

function numberOf(fields: readonly Field[], number: number): number {
  const value = fields.find((field) => field.number === number)?.value;
  return typeof value === 'number' ? value : 0;
}

/** Reads a time; Go's zero time means absent. */
function timeOf(bytes: Uint8Array, scalar: 'time' | 'micro-time'): string | undefined {
  const fields = readFields(bytes);
  const seconds = numberOf(fields, 1);
  if (seconds <= 0 || seconds >= 1e11) return undefined;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (scalar === 'time') return `${text}Z`;
  const micros = Math.floor(numberOf(fields, 2) / 1000);
  return `${text}.${String(micros).padStart(6, '0')}Z`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('the object provided is unrecognized: protobuf: raw JSON that is none');
  }
}
