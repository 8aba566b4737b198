// Writes the archives of the executables for download. The same files give the same bytes: they contain no time and no
// owner from the packing machine.
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

const BLOCK = 512;
/** The earliest time in a zip file. */
const ZIP_TIME = new Date(1980, 0, 1);

/**
 * Writes a tar archive (ustar), compressed with gzip.
 *
 * @param {readonly { name: string, mode: number, contents: Buffer }[]} files
 */
export function writeTarGz(files) {
  const chunks = files.flatMap(({ name, mode, contents }) => [
    header(name, mode, contents.length),
    contents,
    Buffer.alloc(-contents.length & (BLOCK - 1)),
  ]);
  const packed = gzipSync(Buffer.concat([...chunks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The packing system, which would differ between machines: unknown.
  packed[9] = 255;
  return packed;
}

/** Writes a zip archive of the files, with their modes. */
export function writeZip(files) {
  const entries = files.map(({ name, mode, contents }) => [
    name,
    [contents, { level: 9, mtime: ZIP_TIME, os: 3, attrs: ((0o100000 | mode) << 16) >>> 0 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

function header(name, mode, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value, offset, length) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1');
  block.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.fill(' ', 148, 156);
  block.write('0ustar\x0000', 156, 'latin1');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}
