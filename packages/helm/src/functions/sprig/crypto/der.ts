/** The parts of ASN.1 DER that certificates and keys need (ITU-T X.690). */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes one element: tag, length, content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.length)]), content]);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 + octets.length, ...octets];
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(TAG.sequence, ...contents);
}

/** Encodes an unsigned number from its big-endian bytes. */
export function integer(magnitude: Uint8Array): Buffer {
  let from = 0;
  while (from < magnitude.length - 1 && magnitude[from] === 0) from++;
  const bytes = magnitude.subarray(from);
  const isHigh = bytes.length === 0 || bytes[0]! >= 0x80;
  return der(TAG.integer, Buffer.from(isHigh ? [0] : []), bytes);
}

/** Encodes an object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const octets = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    octets.unshift((rest % 128) + 128);
  return octets;
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return der(TAG.bitString, Buffer.from([unusedBits]), bytes);
}

export interface Element {
  readonly tag: number;
  /** Including tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** Splits bytes into consecutive elements; returns undefined for invalid DER. */
export function readElements(bytes: Uint8Array): Element[] | undefined {
  const buffer = Buffer.from(bytes);
  const elements: Element[] = [];
  for (let at = 0; at < buffer.length; ) {
    const first = buffer[at + 1];
    if (first === undefined) return undefined;
    const count = first < 0x80 ? 0 : first - 0x80;
    if (count > 4 || at + 2 + count > buffer.length) return undefined;
    const length = count === 0 ? first : buffer.readUIntBE(at + 2, count);
    const start = at + 2 + count;
    if (start + length > buffer.length) return undefined;
    elements.push({
      tag: buffer[at]!,
      whole: buffer.subarray(at, start + length),
      content: buffer.subarray(start, start + length),
    });
    at = start + length;
  }
  return elements;
}
