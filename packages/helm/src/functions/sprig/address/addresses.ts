import { isIPv4, isIPv6 } from 'node:net';

/** Returns the 4 or 16 bytes of an IP address, parsed like Go's net.ParseIP; an IPv4-mapped IPv6 address gives 4. */
export function addressBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const bytes = sixteenBytes(text);
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff;
  return isMapped ? bytes.subarray(12) : bytes;
}

function sixteenBytes(text: string): Buffer {
  const hex = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [front = '', back] = hex.split('::');
  const groups = (half: string | undefined) =>
    half ? half.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const before = groups(front);
  const after = groups(back);
  const bytes = Buffer.alloc(16);
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  for (const [at, group] of all.entries()) bytes.writeUInt16BE(group, at * 2);
  return bytes;
}
