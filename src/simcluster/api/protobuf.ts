import { badRequest } from '../api-error.ts';
import { type FieldShape, MESSAGE_SHAPES, type MessageShape } from './protobuf-schemas.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
const ENVELOPE: MessageShape = {
  1: {
    kind: 'message',
    name: 'type',
    shape: { 1: { kind: 'text', name: 'apiVersion' }, 2: { kind: 'text', name: 'kind' } },
  },
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

/** Go leaves a text that is empty in; JSON leaves it out. */
function decode(bytes: Uint8Array, shape: MessageShape): Record<string, unknown> {
  const result = new Map<string, unknown>();
  for (const { number, value } of readFields(bytes)) {
    const field = shape[number];
    if (field === undefined) continue;
    const read =
      typeof value === 'number' ? scalar(field, value) : decodeField(field, value, result.get(field.name));
    if (read !== undefined && read !== '') result.set(field.name, read);
  }
  return Object.fromEntries(result);
}

function scalar(field: FieldShape, value: number): unknown {
  if (field.kind === 'boolean') return value !== 0;
  return field.kind === 'number' ? value : undefined;
}

function decodeField(field: FieldShape, value: Uint8Array, before: unknown): unknown {
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
    case 'text-map':
    case 'bytes-map': {
      const kind = field.kind === 'text-map' ? 'text' : 'bytes';
      const entry = decode(value, { 1: { kind: 'text', name: 'key' }, 2: { kind, name: 'value' } });
      const entries = Object.entries((before ?? {}) as Record<string, unknown>);
      return Object.fromEntries([...entries, [String(entry.key ?? ''), entry.value ?? '']]);
    }
    case 'message':
      return decode(value, field.shape);
    case 'messages':
      return [...list(before), decode(value, field.shape)];
    case 'number':
    case 'boolean':
      return undefined;
  }
}

function list(before: unknown): readonly unknown[] {
  return Array.isArray(before) ? before : [];
}

/** The varint and the length-delimited fields of a message, in order. */
function readFields(bytes: Uint8Array): readonly Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) throw malformed();
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
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
      if (at + length > bytes.length) throw malformed();
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
