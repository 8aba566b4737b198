/** Returns the size of a text in an answer, in bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Returns the beginning of a text in at most `maxBytes` bytes; splits no character. */
export function clipBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes));
  let end = bytes.length;
  // The bytes 10xxxxxx continue a character, whose first byte may need more bytes than remain.
  while (end > 0 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  const first = bytes[end - 1] ?? 0;
  const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (end > 0 && end - 1 + size > bytes.length) return bytes.toString('utf8', 0, end - 1);
  return bytes.toString('utf8', 0, bytes.length);
}

const MARK = '…';

/** Marks a text as cut. */
export function marked(text: string): string {
  return `${text}${MARK}`;
}

/** Returns a text in at most `maxBytes` bytes; one that was cut ends with a mark. */
export function clipMarked(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const room = maxBytes - byteLength(MARK);
  return room < 0 ? clipBytes(text, maxBytes) : marked(clipBytes(text, room));
}
