import { chartError } from './chart-error.ts';

export const BLOCK_BYTES = 512;

/**
 * One header block of a tar archive, in POSIX ustar or GNU form:
 * https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
export interface TarHeader {
  readonly name: string;
  /** `0` a file, `5` a directory, `1` and `2` links, `x` and `g` PAX records, `L` a long name... */
  readonly type: string;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedAtSeconds: number;
}

const TYPE_OFFSET = 156;
const CHECKSUM_OFFSET = 148;
const DIRECTORY_MODE = 0o040000;
const MODE_KIND = 0o170000;

/** Reads a header; returns undefined for a block of zeros, which marks the end. */
export function readTarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (!hasRightChecksum(block)) throw invalidHeader();
  const magic = latin1(block, 257, 8);
  const prefix = magic === 'ustar\x0000' ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[TYPE_OFFSET] || 0x30),
    mode: number(block, 100, 8),
    sizeBytes: number(block, 124, 12),
    modifiedAtSeconds: number(block, 136, 12),
  };
}

export function isDirectory({ name, type, mode }: TarHeader): boolean {
  return type === '5' || (type === '0' && (name.endsWith('/') || (mode & MODE_KIND) === DIRECTORY_MODE));
}

/** Reads the records of a PAX header: `length key=value` and a line break each. */
export function readPaxRecords(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  let index = 0;
  while (index < bytes.length) {
    const space = bytes.indexOf(0x20, index);
    const digits = space === -1 ? '' : latin1(bytes, index, space - index);
    const length = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
    const end = index + length;
    if (length <= digits.length + 2 || end > bytes.length || bytes[end - 1] !== 0x0a) throw invalidHeader();
    const record = new TextDecoder().decode(bytes.subarray(space + 1, end - 1));
    const equals = record.indexOf('=');
    if (equals < 1 || record.includes('\0')) throw invalidHeader();
    records.set(record.slice(0, equals), record.slice(equals + 1));
    index = end;
  }
  return records;
}

export function invalidHeader(): Error {
  return chartError('archive/tar: invalid tar header');
}

function hasRightChecksum(block: Uint8Array): boolean {
  const wanted = number(block, CHECKSUM_OFFSET, 8);
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < BLOCK_BYTES; index++) {
    const isChecksum = index >= CHECKSUM_OFFSET && index < CHECKSUM_OFFSET + 8;
    const byte = isChecksum ? 0x20 : (block[index] as number);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return wanted === unsigned || wanted === signed;
}

/** Parses octal digits, or GNU's binary form, whose first bit is set. */
function number(block: Uint8Array, offset: number, length: number): number {
  const first = block[offset] as number;
  if (first >= 0x80) {
    if (first === 0xff) throw invalidHeader();
    let value = first & 0x7f;
    for (let index = 1; index < length; index++) value = value * 256 + (block[offset + index] as number);
    if (!Number.isSafeInteger(value)) throw invalidHeader();
    return value;
  }
  const digits = latin1(block, offset, length).replace(/^[ \0]+|[ \0]+$/g, '');
  if (!/^[0-7]*$/.test(digits)) throw invalidHeader();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** Returns the text up to the first zero byte. */
function text(block: Uint8Array, offset: number, length: number): string {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

function latin1(block: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...block.subarray(offset, offset + length));
}
