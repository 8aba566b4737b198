import { closeSync, openSync, readSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExecutableHeader } from '../../../scripts/binary/executable-header.mjs';

function bytes(fill: (block: Buffer) => void): Buffer {
  const block = Buffer.alloc(512);
  fill(block);
  return block;
}

function elf(machine: number): Buffer {
  return bytes((block) => {
    block.writeUInt32BE(0x7f454c46, 0);
    block.writeUInt16LE(machine, 18);
  });
}

function machO(cpu: number): Buffer {
  return bytes((block) => {
    block.writeUInt32LE(0xfeedfacf, 0);
    block.writeUInt32LE(cpu, 4);
  });
}

function pe(machine: number): Buffer {
  return bytes((block) => {
    block.write('MZ', 0);
    block.writeUInt32LE(0x80, 0x3c);
    block.write('PE\0\0', 0x80, 'latin1');
    block.writeUInt16LE(machine, 0x84);
  });
}

test('an executable says its format and processor', () => {
  expect(readExecutableHeader(elf(62))).toEqual({ format: 'ELF', machine: 'x64' });
  expect(readExecutableHeader(elf(183))).toEqual({ format: 'ELF', machine: 'arm64' });
  expect(readExecutableHeader(machO(0x01000007))).toEqual({ format: 'Mach-O', machine: 'x64' });
  expect(readExecutableHeader(machO(0x0100000c))).toEqual({ format: 'Mach-O', machine: 'arm64' });
  expect(readExecutableHeader(pe(0x8664))).toEqual({ format: 'PE', machine: 'x64' });
  expect(readExecutableHeader(pe(0xaa64))).toEqual({ format: 'PE', machine: 'arm64' });
});

test('another processor has no name, and other files have no header', () => {
  expect(readExecutableHeader(elf(243))).toEqual({ format: 'ELF', machine: undefined });
  expect(readExecutableHeader(Buffer.from('#!/bin/sh\n'.repeat(20)))).toBeUndefined();
  expect(readExecutableHeader(Buffer.from('MZ'))).toBeUndefined();
  expect(readExecutableHeader(bytes((block) => block.write('MZ')))).toBeUndefined();
});

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the Node that runs this test is an ELF file for x64',
  () => {
    const file = openSync(process.execPath, 'r');
    const start = Buffer.alloc(4096);
    readSync(file, start);
    closeSync(file);
    expect(readExecutableHeader(start)).toEqual({ format: 'ELF', machine: 'x64' });
  },
);
