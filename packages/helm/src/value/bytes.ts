import type { GoObject, Value } from './value.ts';

/** A []byte, the result of `.Files.GetBytes`. */
export class GoBytes implements GoObject {
  readonly goType = '[]uint8';
  readonly kind = 'slice';
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  field(): undefined {
    return undefined;
  }

  underlying(): Value {
    return bytesToText(this.bytes);
  }

  json(): string {
    return `"${Buffer.from(this.bytes).toString('base64')}"`;
  }

  toString(): string {
    return `[${this.bytes.join(' ')}]`;
  }
}

const INVALID_BYTE = 0xdc00;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes bytes without losses: a byte outside valid UTF-8 becomes the lone surrogate U+DC00 + byte. */
export function bytesToText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeLossless(bytes);
  }
}

function decodeLossless(bytes: Uint8Array): string {
  const texts: string[] = [];
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > valid) texts.push(decoder.decode(bytes.subarray(valid, at)));
    texts.push(String.fromCharCode(INVALID_BYTE + bytes[at]!));
    at++;
    valid = at;
  }
  if (at > valid) texts.push(decoder.decode(bytes.subarray(valid, at)));
  return texts.join('');
}

interface Sequence {
  /** The range of the first byte. */
  readonly first: readonly [number, number];
  readonly length: number;
  /** The range of the second byte; the others are 80 to BF. */
  readonly second: readonly [number, number];
}

/** The well-formed UTF-8 sequences: https://www.unicode.org/versions/Unicode15.0.0/ch03.pdf#G7404, table 3-7. */
const SEQUENCES: readonly Sequence[] = [
  { first: [0xc2, 0xdf], length: 2, second: [0x80, 0xbf] },
  { first: [0xe0, 0xe0], length: 3, second: [0xa0, 0xbf] },
  { first: [0xe1, 0xec], length: 3, second: [0x80, 0xbf] },
  { first: [0xed, 0xed], length: 3, second: [0x80, 0x9f] },
  { first: [0xee, 0xef], length: 3, second: [0x80, 0xbf] },
  { first: [0xf0, 0xf0], length: 4, second: [0x90, 0xbf] },
  { first: [0xf1, 0xf3], length: 4, second: [0x80, 0xbf] },
  { first: [0xf4, 0xf4], length: 4, second: [0x80, 0x8f] },
];

/** Returns the length of the valid UTF-8 sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const sequence = SEQUENCES.find(({ first: [low, high] }) => first >= low && first <= high);
  if (sequence === undefined || at + sequence.length > bytes.length) return 0;
  const [low, high] = sequence.second;
  const second = bytes[at + 1]!;
  if (second < low || second > high) return 0;
  const others = bytes.subarray(at + 2, at + sequence.length);
  return others.every((byte) => (byte & 0xc0) === 0x80) ? sequence.length : 0;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Encodes a text to its bytes in Go: the inverse of bytesToText. */
export function textToBytes(text: string): Uint8Array {
  if (!SURROGATE.test(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= INVALID_BYTE && code <= INVALID_BYTE + 0xff) bytes.push(code - INVALID_BYTE);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** Go's `len` of a string: returns its length in bytes. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= INVALID_BYTE && unit <= INVALID_BYTE + 0xff) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length && isLow(text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
