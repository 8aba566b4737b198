// Reads the system and the processor of an executable from its first bytes.

const ELF_MACHINES = new Map([
  [62, 'x64'],
  [183, 'arm64'],
]);
const MACH_O_CPUS = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PE_MACHINES = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);
/** The offset at which a PE file stores the offset of its header. */
const PE_OFFSET = 0x3c;

/**
 * Returns the format and the processor of an executable. `machine` is undefined for another processor; the result is
 * undefined for other formats. The sources are the ELF, Mach-O and PE specifications.
 *
 * @param {Buffer} bytes at least the first kilobyte
 */
export function readExecutableHeader(bytes) {
  if (bytes.length < PE_OFFSET + 4) return undefined;
  if (bytes.readUInt32BE(0) === 0x7f454c46)
    return { format: 'ELF', machine: ELF_MACHINES.get(bytes.readUInt16LE(18)) };
  if (bytes.readUInt32LE(0) === 0xfeedfacf)
    return { format: 'Mach-O', machine: MACH_O_CPUS.get(bytes.readUInt32LE(4)) };
  const offset = bytes.readUInt32LE(PE_OFFSET);
  const isPe =
    bytes.toString('latin1', 0, 2) === 'MZ' && bytes.toString('latin1', offset, offset + 4) === 'PE\0\0';
  if (!isPe || bytes.length < offset + 6) return undefined;
  return { format: 'PE', machine: PE_MACHINES.get(bytes.readUInt16LE(offset + 4)) };
}
