import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { attempt } from './attempt.ts';
import { type CodePack, decodePack, encodePack } from './code-pack.ts';
import { readOwnFile, removeOwnFiles, writeOwnFile } from './own-file.ts';

const CHECKSUM_BYTES = 4;
const UNUSED_MS = 7 * 86_400_000;

/** Where compiled code lies between runs. */
export interface CodeCache {
  /** What an earlier run left, undefined when there is nothing sound. */
  readonly read: () => CodePack | undefined;
  /** Keeps compiled code for later runs. */
  readonly write: (pack: CodePack) => void;
}

/**
 * The compiled code of one program (`program` names its exact text and the Node that compiled it) for one
 * command, in a directory of the user's own. V8 runs such a file without a check of its own, so a directory
 * that others may write to is not used, and a checksum precedes the code. Nothing here ever throws: without a
 * cache the program starts slower, and does the same.
 */
export function openCodeCache(directory: string, program: string, command: string): CodeCache {
  const path = join(directory, `${program}-${command}.bin`);
  return {
    read: () => attempt(() => readChecked(directory, path)),
    write: (pack) => {
      attempt(() => writeChecked(directory, path, encodePack(pack)));
      // Another installed version may still use what it wrote until then.
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
