// Signs an executable for macOS (ad hoc: without an identity, but valid). Bun signs for arm64; for x64 it leaves the
// runtime's signature, which the added program breaks, and macOS ends a program with a broken one.
// The layout is that of Apple's cs_blobs.h and loader.h; Go's linker writes the same.
import { createHash } from 'node:crypto';

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** Size of a super blob with one entry; then the size of the directory's fixed fields in version 0x20400. */
const SUPER_BLOB_SIZE = 20;
const DIRECTORY_SIZE = 88;
const HASH_SIZE = 32;
/** Ad hoc signature by a linker. */
const FLAGS = 0x20002;
const MAIN_BINARY = 1n;

/**
 * Returns the executable with an ad hoc signature instead of its own. Throws if it is not a 64-bit Mach-O file that
 * ends with a signature.
 *
 * @param {Buffer} executable
 * @param {string} identifier
 */
export function signMachO(executable, identifier) {
  const commands = loadCommands(executable);
  const signature = commands.find(({ type }) => type === LC_CODE_SIGNATURE);
  const segment = (name) =>
    commands.find(
      ({ type, at }) =>
        type === LC_SEGMENT_64 && executable.toString('latin1', at + 8, at + 24).startsWith(`${name}\0`),
    );
  const [text, linkEdit] = [segment('__TEXT'), segment('__LINKEDIT')];
  if (signature === undefined || text === undefined || linkEdit === undefined)
    throw new Error('the executable has no signature to replace');
  const limit = executable.readUInt32LE(signature.at + 8);
  if (limit + executable.readUInt32LE(signature.at + 12) !== executable.length)
    throw new Error('the executable does not end with its signature');
  const pages = Math.ceil(limit / PAGE);
  const name = Buffer.from(`${identifier}\0`, 'latin1');
  const size = SUPER_BLOB_SIZE + DIRECTORY_SIZE + name.length + pages * HASH_SIZE;
  const code = Buffer.from(executable.subarray(0, limit));
  code.writeUInt32LE(size, signature.at + 12);
  const linkEditSize = BigInt(limit + size) - code.readBigUInt64LE(linkEdit.at + 40);
  code.writeBigUInt64LE(linkEditSize, linkEdit.at + 48);
  code.writeBigUInt64LE(roundUp(linkEditSize), linkEdit.at + 32);
  const textRange = [code.readBigUInt64LE(text.at + 40), code.readBigUInt64LE(text.at + 48)];
  return Buffer.concat([code, signatureOf(code, name, size, textRange)]);
}

function loadCommands(executable) {
  if (executable.readUInt32LE(0) !== 0xfeedfacf) throw new Error('no 64-bit Mach-O file');
  const commands = [];
  let at = 32;
  for (let left = executable.readUInt32LE(16); left > 0; left--) {
    commands.push({ type: executable.readUInt32LE(at), at });
    at += executable.readUInt32LE(at + 4);
  }
  return commands;
}

function signatureOf(code, name, size, [textStart, textSize]) {
  const head = Buffer.alloc(SUPER_BLOB_SIZE + DIRECTORY_SIZE);
  const pages = Math.ceil(code.length / PAGE);
  const directorySize = size - SUPER_BLOB_SIZE;
  // Magic number, size, one entry: slot 0 and its offset.
  for (const [index, value] of [SUPER_BLOB, size, 1, 0, SUPER_BLOB_SIZE].entries())
    head.writeUInt32BE(value, index * 4);
  const directory = head.subarray(SUPER_BLOB_SIZE);
  const fields = [
    CODE_DIRECTORY,
    directorySize,
    0x20400,
    FLAGS,
    // The offsets of the hashes and of the identifier; no special slots.
    DIRECTORY_SIZE + name.length,
    DIRECTORY_SIZE,
    0,
    pages,
    code.length,
  ];
  for (const [index, value] of fields.entries()) directory.writeUInt32BE(value, index * 4);
  // Size and type (2: SHA-256) of a hash, no platform, page size.
  directory.set([HASH_SIZE, 2, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(textStart, 64);
  directory.writeBigUInt64BE(textSize, 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  const hashes = Array.from({ length: pages }, (_, page) =>
    createHash('sha256')
      .update(code.subarray(page * PAGE, (page + 1) * PAGE))
      .digest(),
  );
  return Buffer.concat([head, name, ...hashes]);
}

/** Rounds up to a page: segments end at pages, of the larger size of arm64. */
function roundUp(bytes) {
  const page = 0x4000n;
  return ((bytes + page - 1n) / page) * page;
}
