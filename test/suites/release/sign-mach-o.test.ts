import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { signMachO } from '../../../scripts/binary/sign-mach-o.mjs';

const PAGE = 4096;
const LIMIT = 2 * PAGE + 100;
const OLD_SIGNATURE = 48;

/** Makes a Mach-O file with two segments and an old signature, without runnable code. */
function machO(): Buffer {
  const file = Buffer.alloc(LIMIT + OLD_SIGNATURE, 7);
  file.fill(0, 0, PAGE);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, start: number, size: number) => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(name, at + 8, 'latin1');
    file.writeBigUInt64LE(BigInt(start), at + 40);
    file.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, '__TEXT', 0, PAGE);
  segment(104, '__LINKEDIT', PAGE, PAGE + 100 + OLD_SIGNATURE);
  file.writeUInt32LE(0x1d, 176);
  file.writeUInt32LE(16, 180);
  file.writeUInt32LE(LIMIT, 184);
  file.writeUInt32LE(OLD_SIGNATURE, 188);
  return file;
}

test('the signature holds the hash of every page of the file as it is written', () => {
  const signed = signMachO(machO(), 'logtool');
  expect(signed.readUInt32LE(184)).toBe(LIMIT);
  const signature = signed.subarray(LIMIT);
  expect(signed.readUInt32LE(188)).toBe(signature.length);
  expect(signature.readUInt32BE(0)).toBe(0xfade0cc0);
  expect(signature.readUInt32BE(4)).toBe(signature.length);
  const directory = signature.subarray(signature.readUInt32BE(16));
  expect(directory.readUInt32BE(0)).toBe(0xfade0c02);
  expect(directory.readUInt32BE(4)).toBe(directory.length);
  // Ad hoc: without a certificate.
  expect(directory.readUInt32BE(12) & 2).toBe(2);
  const identifier = directory.readUInt32BE(20);
  expect(directory.toString('latin1', identifier, identifier + 8)).toBe('logtool\0');
  expect(directory.readUInt32BE(28)).toBe(3);
  expect(directory.readUInt32BE(32)).toBe(LIMIT);
  const hashes = directory.readUInt32BE(16);
  for (let page = 0; page < 3; page++) {
    const bytes = signed.subarray(page * PAGE, Math.min((page + 1) * PAGE, LIMIT));
    const at = hashes + page * 32;
    expect(directory.subarray(at, at + 32)).toEqual(createHash('sha256').update(bytes).digest());
  }
});

test('the last segment grows with the signature, and nothing else of the file changes', () => {
  const signed = signMachO(machO(), 'logtool');
  expect(signed.readBigUInt64LE(104 + 40) + signed.readBigUInt64LE(104 + 48)).toBe(BigInt(signed.length));
  expect(signed.readBigUInt64LE(104 + 32)).toBe(0x4000n);
  expect(signed.subarray(PAGE, LIMIT)).toEqual(machO().subarray(PAGE, LIMIT));
});

test('what has no signature at its end is not signed', () => {
  expect(() => signMachO(Buffer.alloc(64), 'logtool')).toThrow('no 64-bit Mach-O file');
  expect(() => signMachO(Buffer.concat([machO(), Buffer.alloc(1)]), 'logtool')).toThrow('does not end');
  const unsigned = machO();
  unsigned.writeUInt32LE(0x1b, 176);
  expect(() => signMachO(unsigned, 'logtool')).toThrow('no signature to replace');
});
