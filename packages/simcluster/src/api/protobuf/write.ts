import { isObject } from '../fields/items.ts';
import { findType, groupName } from '../schema/find-type.ts';
import type { Scalar, Shape, StructShape } from '../schema/shape.ts';
import { field, textField, varint } from './wire.ts';

const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * Encodes an object, a list or a Status as protobuf, in the envelope of k8s.io/apimachinery (runtime.Unknown).
 * Undefined for values without a protobuf form: custom resources, tables.
 */
export function writeProtobuf(object: Readonly<Record<string, unknown>>): Buffer | undefined {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const raw = rawOf(apiVersion, kind, object);
  if (raw === undefined) return undefined;
  const type = Buffer.concat([textField(1, apiVersion), textField(2, kind)]);
  return Buffer.concat([MAGIC, field(1, type), field(2, raw), textField(3, ''), textField(4, '')]);
}

function rawOf(
  apiVersion: string,
  kind: string,
  object: Readonly<Record<string, unknown>>,
): Buffer | undefined {
  if (kind === 'Status') return message(typeOf('v1', kind, 'meta'), object);
  const shape = typeOf(apiVersion, kind);
  if (shape !== undefined) return message(shape, object);
  const items = kind.endsWith('List') ? typeOf(apiVersion, kind.slice(0, -'List'.length)) : undefined;
  if (items === undefined || !Array.isArray(object.items)) return undefined;
  return Buffer.concat([
    field(1, message(findType('meta.ListMeta'), object.metadata)),
    ...object.items.map((item) => field(2, message(items, item))),
  ]);
}

function typeOf(apiVersion: string, kind: string, type?: string): StructShape | undefined {
  const slash = apiVersion.indexOf('/');
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
  return findType(`${type ?? groupName(group, version)}.${kind}`);
}

function message(shape: StructShape | undefined, value: unknown): Buffer {
  if (shape === undefined || !isObject(value)) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for (const [number, inner] of [...shape.numbered].sort(([a], [b]) => a - b)) {
    if ('kind' in inner) {
      const embedded = message(inner, value);
      if (embedded.length > 0) chunks.push(field(number, embedded));
      continue;
    }
    const one = Object.hasOwn(value, inner.name) ? value[inner.name] : undefined;
    if (one !== undefined && one !== null) chunks.push(...valueFields(number, inner.shape, one));
  }
  return Buffer.concat(chunks);
}

function valueFields(number: number, shape: Shape, value: unknown): readonly Buffer[] {
  switch (shape.kind) {
    case 'struct':
      return [field(number, message(shape, value))];
    case 'list':
      return (Array.isArray(value) ? value : []).flatMap((item) => valueFields(number, shape.items, item));
    case 'map':
      return Object.entries(isObject(value) ? value : {}).map(([key, inner]) =>
        field(number, Buffer.concat([textField(1, key), ...entryFields(shape.values, inner)])),
      );
    case 'any':
      return [field(number, textField(1, JSON.stringify(value)))];
    case 'scalar':
      return [scalarField(number, shape.scalar, value)];
  }
}

/** Encodes a map's value; a list is a message with the items in its field 1. */
function entryFields(values: Shape, value: unknown): readonly Buffer[] {
  if (values.kind !== 'list') return valueFields(2, values, value);
  return [field(2, Buffer.concat([...valueFields(1, values, value)]))];
}

function scalarField(number: number, scalar: Scalar, value: unknown): Buffer {
  switch (scalar) {
    case 'string':
      return textField(number, String(value));
    case 'bytes':
      return field(number, Buffer.from(String(value), 'base64'));
    case 'integer':
      return Buffer.concat([varint(number * 8), varint(Number(value))]);
    case 'boolean':
      return Buffer.concat([varint(number * 8), varint(value === true ? 1 : 0)]);
    case 'number': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return Buffer.concat([varint(number * 8 + 1), bytes]);
    }
    case 'quantity':
      return field(number, textField(1, String(value)));
    case 'int-or-string':
      return field(
        number,
        typeof value === 'number'
          ? Buffer.concat([varint(8), varint(0), varint(16), varint(value)])
          : Buffer.concat([varint(8), varint(1), textField(3, String(value))]),
      );
    case 'time':
    case 'micro-time':
      return field(number, timeMessage(String(value)));
  }
}

function timeMessage(text: string): Buffer {
  const seconds = Math.floor(Date.parse(text) / 1000);
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? '';
  const nanos = Number(fraction.padEnd(9, '0'));
  if (!Number.isFinite(seconds)) return Buffer.alloc(0);
  return Buffer.concat([varint(8), varint(seconds), varint(16), varint(nanos)]);
}
