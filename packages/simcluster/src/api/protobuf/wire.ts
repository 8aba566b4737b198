import { badRequest } from '../../api-error.ts';

/** One field of a message: a varint as a number, any other as bytes. */
export interface Field {
  readonly number: number;
  readonly value: Uint8Array | number;
}

/**
 * Returns the fields of a message, in order (protobuf.dev/programming-guides/encoding).
 * @throws ApiError 400 if it is malformed
 */
export function readFields(bytes: Uint8Array): readonly Field[] {
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
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > bytes.length) throw malformed();
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) found.push({ number, value: varint() });
    else if (wire === 1) found.push({ number, value: take(8) });
    else if (wire === 2) found.push({ number, value: take(varint()) });
    else if (wire === 5) found.push({ number, value: take(4) });
    else throw malformed();
  }
  return found;
}

function malformed() {
  return badRequest('the object provided is unrecognized: protobuf: malformed message');
}

export function textOf(value: Uint8Array): string {
  return Buffer.from(value).toString('utf8');
}

/** Reads a double of eight bytes, lowest first. */
export function fixedDouble(value: Uint8Array): number {
  if (value.length !== 8) throw malformed();
  return Buffer.from(value).readDoubleLE(0);
}

/** Encodes a text field. */
export function textField(number: number, text: string): Buffer {
  return field(number, Buffer.from(text));
}

/** Encodes a field of bytes: a text, or a message. */
export function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Encodes an integer or a tag; negative numbers as the two's complement of 64 bits. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
