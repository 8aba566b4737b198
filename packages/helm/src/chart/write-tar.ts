import type { ChartFile } from './chart.ts';
import { BLOCK_BYTES } from './tar-header.ts';

export interface TarEntry extends ChartFile {
  /** As in `TarHeader`; default: a file. */
  readonly type?: string;
  readonly linkName?: string;
  /** Permissions; default 0644. */
  readonly mode?: number;
  /** The numeric ID of both user and group; default root. */
  readonly owner?: number;
}

/** Writes a tar archive in the POSIX form; a PAX header precedes names that are too long. */
export function writeTar(entries: Iterable<TarEntry>): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const entry of entries) {
    if (Buffer.byteLength(entry.name) > 100) {
      const data = paxRecord('path', entry.name);
      blocks.push(header({ name: 'PaxHeaders/name', data, type: 'x' }), padded(data));
    }
    blocks.push(header(entry), padded(entry.data));
  }
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK_BYTES)]);
}

function header({ name, data, type = '0', linkName = '', mode = 0o644, owner = 0 }: TarEntry): Uint8Array {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name.slice(0, 100), 0, 100);
  block.write(octal(mode, 7), 100);
  block.write(octal(owner, 7), 108);
  block.write(octal(owner, 7), 116);
  block.write(octal(data.length, 11), 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(linkName, 157, 100);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`;
}

function padded(data: Uint8Array): Uint8Array {
  const block = new Uint8Array(Math.ceil(data.length / BLOCK_BYTES) * BLOCK_BYTES);
  block.set(data);
  return block;
}

/** Returns `length key=value` and a line break; the length counts its own digits too. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
