import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stripElf } from '../../../scripts/image/strip-elf.ts';
import { folder } from '../../support/connection/kubeconfig-folder.ts';

/**
 * Makes a program of two segments in ELF format: a header of 64 bytes, then 56 bytes for each program header.
 */
function program({ gap = 0, symbols = 0 }: { readonly gap?: number; readonly symbols?: number }): Buffer {
  const [first, second] = [Buffer.alloc(0x1000, 'a'), Buffer.alloc(0x123, 'b')];
  const elf = Buffer.concat([first, Buffer.alloc(gap), second, Buffer.alloc(symbols, 's')]);
  elf.write('\x7fELF\x02\x01', 'latin1');
  elf.writeBigUInt64LE(64n, 32);
  elf.writeBigUInt64LE(BigInt(elf.length - symbols), 40);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(3, 56);
  elf.writeUInt16LE(7, 60);
  elf.writeUInt16LE(6, 62);
  segment(elf, 0, { type: 1, offset: 0, address: 0x40_0000, size: first.length });
  segment(elf, 1, { type: 1, offset: 0x1000 + gap, address: 0x60_0000, size: second.length });
  // A segment inside the second one, like PT_DYNAMIC.
  segment(elf, 2, { type: 2, offset: 0x1000 + gap + 0x20, address: 0x60_0020, size: 0x10 });
  return elf;
}

function segment(
  elf: Buffer,
  index: number,
  { type, offset, address, size }: Readonly<Record<'type' | 'offset' | 'address' | 'size', number>>,
): void {
  const at = 64 + 56 * index;
  elf.writeUInt32LE(type, at);
  elf.writeBigUInt64LE(BigInt(offset), at + 8);
  elf.writeBigUInt64LE(BigInt(address), at + 16);
  elf.writeBigUInt64LE(BigInt(size), at + 32);
  elf.writeBigUInt64LE(0x1000n, at + 48);
}

test('symbols and section headers go, and the space between segments', () => {
  const plain = stripElf(program({}));
  expect(plain.length).toBe(0x1123);
  expect(stripElf(program({ gap: 0x5000, symbols: 0x900 }))).toEqual(plain);
  expect([plain.readBigUInt64LE(40), plain.readUInt16LE(60), plain.readUInt16LE(62)]).toEqual([0n, 0, 0]);
});

test('a segment keeps its place within a page, and one inside of it stays inside', () => {
  const stripped = stripElf(program({ gap: 0x5000 }));
  const offset = (index: number) => Number(stripped.readBigUInt64LE(64 + 56 * index + 8));
  expect([offset(0), offset(1), offset(2)]).toEqual([0, 0x1000, 0x1020]);
  expect(stripped.subarray(0x1000)).toEqual(Buffer.alloc(0x123, 'b'));
});

test('refuses files that are not ELF files of 64 bits', () => {
  expect(() => stripElf(Buffer.from('#!/bin/sh\n'.repeat(10)))).toThrow('no 64-bit little-endian ELF file');
  const old = program({});
  old[4] = 1;
  expect(() => stripElf(old)).toThrow('no 64-bit little-endian ELF file');
});

test.runIf(process.platform === 'linux')('a real program runs as it did before', async () => {
  const file = join(await folder(), 'true');
  await writeFile(file, stripElf(readFileSync(process.execPath)), { mode: 0o755 });
  const { stdout } = await promisify(execFile)(file, ['-p', '6 * 7']);
  expect(stdout).toBe('42\n');
});
