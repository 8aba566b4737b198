import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { attempt } from './attempt.ts';
import { type CodePack, decodePack, encodePack } from './code-pack.ts';
import { readOwnFile, removeOwnFiles, writeOwnFile } from './own-file.ts';

const CHECKSUM_BYTES = 4;
const UNUSED_MS = 7 * 86_400_000;

/** Stores compiled code between runs. */
export interface CodeCache {
  /** Reads what an earlier run left; undefined if it is missing or damaged. */
  readonly read: () => CodePack | undefined;
  /** Keeps compiled code for later runs. */
  readonly write: (pack: CodePack) => void;
}

/**
 * Opens the compiled code of one program (`program` names its exact text and the Node that compiled it) for
 * one command, in the user's own directory. V8 runs such a file unchecked, so a directory that others may
 * write to is not used, and a checksum precedes the code. Never throws: without a cache the program starts
 * slower, but does the same.
 */
export function openCodeCache(directory: string, program: string, command: string): CodeCache {
  const path = join(directory, `${program}-${command}.bin`);
  return {
    read: () => attempt(() => readChecked(directory, path)),
    write: (pack) => {
      attempt(() => writeChecked(directory, path, encodePack(pack)));
      // Another installed version may still use its own recent files.
      attempt(() => removeOwnFiles(directory, UNUSED_MS, { besides: (name) => name.startsWith(program) }));
    },
  };
}

function readChecked(directory: string, path: string): CodePack | undefined {
  const file = readOwnFile(directory, path);
  if (file === undefined) return undefined;
  const bytes = file.subarray(CHECKSUM_BYTES);
  return file.readUInt32LE(0) === crc32(bytes) ? decodePack(bytes) : undefined;
}

function writeChecked(directory: string, path: string, bytes: Buffer): void {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bytes));
  writeOwnFile(directory, path, Buffer.concat([checksum, bytes]));
}
