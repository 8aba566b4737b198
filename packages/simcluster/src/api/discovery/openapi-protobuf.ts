import { isObject } from '../fields/items.ts';
import { field, textField, varint } from '../protobuf/wire.ts';
import { fields } from '../table/read.ts';

let last: { readonly json: string; readonly bytes: Buffer } | undefined;

/**
 * Encodes a document of OpenAPI version 2 as protobuf: the message `openapi.v2.Document` of
 * https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto. Omits paths, because the document has
 * none.
 */
export function swaggerAsProtobuf(json: string): Buffer {
  // Clients request the document repeatedly, and it changes only with the definitions of custom resources.
  if (last?.json !== json) last = { json, bytes: documentMessage(fields(JSON.parse(json))) };
  return last.bytes;
}

function documentMessage({ swagger, info, definitions }: Readonly<Record<string, unknown>>): Buffer {
  const { title, version } = fields(info);
  return Buffer.concat([
    textField(1, String(swagger)),
    field(2, Buffer.concat([textField(1, String(title)), textField(2, String(version))])),
    field(8, Buffer.alloc(0)),
    field(9, namedSchemas(definitions)),
  ]);
}

/** Encodes Definitions and Properties: schemas by name. */
function namedSchemas(schemas: unknown): Buffer {
  return Buffer.concat(
    Object.entries(fields(schemas)).map(([name, schema]) =>
      field(1, Buffer.concat([textField(1, name), field(2, schemaMessage(schema))])),
    ),
  );
}

function schemaMessage(schema: unknown): Buffer {
  return Buffer.concat(Object.entries(fields(schema)).flatMap(([key, value]) => keyword(key, value)));
}

/** Encodes a keyword; omits those for which the message has no field. */
function keyword(key: string, value: unknown): readonly Buffer[] {
  const text = TEXTS.get(key);
  if (text !== undefined) return [textField(text, String(value))];
  const number = DOUBLES.get(key);
  if (number !== undefined) return [doubleField(number, Number(value))];
  const whole = WHOLE.get(key);
  if (whole !== undefined) return [Buffer.concat([varint(whole * 8), varint(Number(value))])];
  switch (key) {
    case 'default':
      return [field(5, anyMessage(value))];
    case 'required':
      return list(value).map((name) => textField(19, String(name)));
    case 'enum':
      return list(value).map((one) => field(20, anyMessage(one)));
    case 'additionalProperties':
      return [field(21, isObject(value) ? field(1, schemaMessage(value)) : flag(2, value))];
    case 'type':
      return [field(22, textField(1, String(value)))];
    case 'items':
      return [field(23, field(1, schemaMessage(value)))];
    case 'allOf':
      return list(value).map((one) => field(24, schemaMessage(one)));
    case 'properties':
      return [field(25, namedSchemas(value))];
    case 'example':
      return [field(30, anyMessage(value))];
    default:
      return key.startsWith('x-')
        ? [field(31, Buffer.concat([textField(1, key), field(2, anyMessage(value))]))]
        : [];
  }
}

const TEXTS: ReadonlyMap<string, number> = new Map([
  ['$ref', 1],
  ['format', 2],
  ['title', 3],
  ['description', 4],
  ['pattern', 13],
]);

const DOUBLES: ReadonlyMap<string, number> = new Map([
  ['multipleOf', 6],
  ['maximum', 7],
  ['minimum', 9],
]);

/** Integers, and booleans, which have the same encoding. */
const WHOLE: ReadonlyMap<string, number> = new Map([
  ['exclusiveMaximum', 8],
  ['exclusiveMinimum', 10],
  ['maxLength', 11],
  ['minLength', 12],
  ['maxItems', 14],
  ['minItems', 15],
  ['uniqueItems', 16],
  ['maxProperties', 17],
  ['minProperties', 18],
]);

/** The message holds any value as YAML text, and JSON is YAML. */
function anyMessage(value: unknown): Buffer {
  return textField(2, JSON.stringify(value));
}

function flag(number: number, value: unknown): Buffer {
  return Buffer.concat([varint(number * 8), varint(value === false ? 0 : 1)]);
}

function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint(number * 8 + 1), bytes]);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
