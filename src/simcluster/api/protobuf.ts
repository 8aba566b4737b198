import { ApiError, badRequest } from '../api-error.ts';
import {
  count,
  type FieldShape,
  ignored,
  type MessageShape,
  message,
  text,
  texts,
} from './protobuf-fields.ts';
import { MESSAGE_SHAPES } from './protobuf-schemas.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
/** Besides its type, the envelope holds the object itself (2) and how it is encoded (3 and 4). */
const ENVELOPE: MessageShape = {
  1: message('type', texts('apiVersion', 'kind')),
  2: ignored('raw'),
  3: ignored('contentEncoding'),
  4: ignored('contentType'),
};

/**
 * Reads an object that a client posts as protobuf, in the envelope of k8s.io/apimachinery (runtime.Unknown).
 * Undefined when it is of a kind that is not known here.
 * @throws ApiError 400 when it is malformed
 */
export function readProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) return undefined;
  const envelope = bytes.subarray(MAGIC.length);
  const { apiVersion, kind } = (decode(envelope, ENVELOPE).type ?? {}) as {
    apiVersion?: string;
    kind?: string;
  };
  const shape = kind !== undefined && Object.hasOwn(MESSAGE_SHAPES, kind) ? MESSAGE_SHAPES[kind] : undefined;
  if (shape === undefined) return undefined;
  const raw = readFields(envelope).find((field) => field.number === 2)?.value;
  return { apiVersion, kind, ...decode(raw instanceof Uint8Array ? raw : new Uint8Array(), shape) };
}

interface Field {
  readonly number: number;
  readonly value: Uint8Array | number;
}

/**
 * Go leaves a text that is empty in; JSON leaves it out.
 * @throws ApiError 415 where the message says something that is not read here: better refused than half taken
 */
function decode(bytes: Uint8Array, shape: MessageShape): Record<string, unknown> {
  const result = new Map<string, unknown>();
  for (const { number, value } of readFields(bytes)) {
    const field = shape[number];
    if (field === undefined) {
      if (value === 0 || (value instanceof Uint8Array && value.length === 0)) continue;
      throw unsupported(number);
    }
    if (field.kind === 'inline') {
      const inner = value instanceof Uint8Array ? decode(value, field.shape) : {};
      for (const [name, one] of Object.entries(inner)) result.set(name, one);
      continue;
    }
    const before = result.get(field.name);
    const read = typeof value === 'number' ? scalar(field, value, before) : decodeField(field, value, before);
    if (read !== undefined && read !== '') result.set(field.name, read);
  }
  return Object.fromEntries(result);
}

function unsupported(number: number): ApiError {
  return new ApiError(
    415,
    'UnsupportedMediaType',
    `field ${number} of a protobuf message is not read by the simulated cluster: post the object as JSON or YAML (kubectl apply -f)`,
  );
}

function scalar(field: FieldShape, value: number, before: unknown): unknown {
  switch (field.kind) {
    case 'boolean':
      return value !== 0;
    case 'flag':
      return value !== 0 ? true : undefined;
    case 'number':
      return value;
    case 'numbers':
      return [...list(before), value];
    case 'count':
      return value === 0 ? undefined : value;
    default:
      return undefined;
  }
}

function decodeField(
  field: Exclude<FieldShape, { readonly kind: 'inline' }>,
  value: Uint8Array,
  before: unknown,
): unknown {
  switch (field.kind) {
    case 'text':
      return textOf(value);
    case 'texts':
      return [...list(before), textOf(value)];
    case 'bytes':
      return Buffer.from(value).toString('base64');
    case 'time': {
      const seconds = readFields(value).find((inner) => inner.number === 1)?.value;
      return typeof seconds === 'number' && seconds > 0 && seconds < 1e11
        ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
        : undefined;
    }
    case 'quantity':
      return quantityOf(value);
    case 'int-or-text': {
      const { type, number = 0, text = '' } = decode(value, INT_OR_TEXT);
      return type === 1 ? text : number;
    }
    case 'text-map':
    case 'bytes-map':
    case 'quantity-map': {
      const kind = MAP_VALUES[field.kind];
      const entry = decode(value, { 1: { kind: 'text', name: 'key' }, 2: { kind, name: 'value' } });
      const entries = Object.entries((before ?? {}) as Record<string, unknown>);
      return Object.fromEntries([...entries, [String(entry.key ?? ''), entry.value ?? '']]);
    }
    case 'message':
      return decode(value, field.shape);
    case 'messages':
      return [...list(before), decode(value, field.shape)];
    default:
      return undefined;
  }
}

const MAP_VALUES = { 'text-map': 'text', 'bytes-map': 'bytes', 'quantity-map': 'quantity' } as const;

/** k8s.io/apimachinery/pkg/util/intstr/generated.proto: type 1 is text. */
const INT_OR_TEXT: MessageShape = { 1: count('type'), 2: count('number'), 3: text('text') };

/** k8s.io/apimachinery/pkg/api/resource/generated.proto */
function quantityOf(value: Uint8Array): unknown {
  return decode(value, { 1: text('string') }).string;
}

function list(before: unknown): readonly unknown[] {
  return Array.isArray(before) ? before : [];
}

/** The varint and the length-delimited fields of a message, in order. */
function readFields(bytes: Uint8Array): readonly Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw malformed();
      at += 1;
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw malformed();
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) found.push({ number, value: varint() });
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (length < 0 || at + length > bytes.length) throw malformed();
      found.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    } else throw malformed();
  }
  return found;
}

function malformed() {
  return badRequest('the object provided is unrecognized: protobuf: malformed message');
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value).toString('utf8');
}
