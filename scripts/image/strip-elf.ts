/** The required fields of the ELF64 file header (System V gABI, "ELF Header"). */
const HEADER = {
  programOffset: 32,
  sectionOffset: 40,
  programSize: 54,
  programCount: 56,
  sectionCount: 60,
  names: 62,
};
/** The fields of a program header ("Program Header"). */
const SEGMENT = { type: 0, offset: 8, address: 16, fileSize: 32, alignment: 48 };
const LOAD = 1;

/**
 * Removes the parts of a 64-bit little-endian ELF program that no loader reads: symbols, debugging data, section
 * headers and the space between segments. The program runs unchanged; only a debugger lacks data. The output depends
 * only on the input, which no version of `strip` guarantees, and any machine can strip for any other.
 */
export function stripElf(elf: Buffer): Buffer {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1)
    throw new Error('this is no 64-bit little-endian ELF file');
  const headers = programHeaders(elf);
  const loads = headers
    .filter((at) => elf.readUInt32LE(at + SEGMENT.type) === LOAD)
    .sort((a, b) => read(elf, a + SEGMENT.offset) - read(elf, b + SEGMENT.offset));
  const chunks: Buffer[] = [];
  const moved: { from: number; to: number; size: number }[] = [];
  let end = 0;
  for (const at of loads) {
    const from = read(elf, at + SEGMENT.offset);
    const size = read(elf, at + SEGMENT.fileSize);
    // The file offset and the address agree modulo the alignment: the loader maps whole pages.
    const alignment = read(elf, at + SEGMENT.alignment);
    const to = end + ((((from - end) % alignment) + alignment) % alignment);
    chunks.push(Buffer.alloc(to - end), elf.subarray(from, from + size));
    moved.push({ from, to, size });
    end = to + size;
  }
  const stripped = Buffer.concat(chunks);
  for (const at of headers) {
    const offset = read(elf, at + SEGMENT.offset);
    const size = read(elf, at + SEGMENT.fileSize);
    const load = moved.find(({ from, size: whole }) => offset >= from && offset + size <= from + whole);
    if (load === undefined && size > 0) throw new Error('a segment of the ELF file is not loaded');
    write(stripped, at + SEGMENT.offset, load === undefined ? 0 : offset - load.from + load.to);
  }
  write(stripped, HEADER.sectionOffset, 0);
  stripped.writeUInt16LE(0, HEADER.sectionCount);
  stripped.writeUInt16LE(0, HEADER.names);
  return stripped;
}

/** Returns the offsets of the program headers. They are in the first segment, which does not move. */
function programHeaders(elf: Buffer): readonly number[] {
  const first = read(elf, HEADER.programOffset);
  const size = elf.readUInt16LE(HEADER.programSize);
  return Array.from({ length: elf.readUInt16LE(HEADER.programCount) }, (_, index) => first + index * size);
}

function read(elf: Buffer, at: number): number {
  return Number(elf.readBigUInt64LE(at));
}

function write(elf: Buffer, at: number, value: number): void {
  elf.writeBigUInt64LE(BigInt(value), at);
}
