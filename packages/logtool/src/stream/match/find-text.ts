/** A text of up to this many bytes is quick to find, however repetitive. */
export const MAX_QUICK_BYTES = 64;

/**
 * Whether bytes contain a text, in time linear in both: `Buffer.includes` compares a long repetitive text again at
 * every position of repetitive bytes.
 */
export function holdsText(bytes: Buffer, text: Buffer): boolean {
  if (text.length <= MAX_QUICK_BYTES) return bytes.includes(text);
  const head = text.subarray(0, MAX_QUICK_BYTES);
  let compared = 0;
  for (let at = bytes.indexOf(head); at !== -1; at = bytes.indexOf(head, at + 1)) {
    const end = at + text.length;
    if (end > bytes.length) return false;
    if (bytes.compare(text, 0, text.length, at, end) === 0) return true;
    compared += text.length;
    if (compared > bytes.length) return holdsRepeating(bytes, text, at + 1);
  }
  return false;
}

/** The algorithm of Knuth, Morris and Pratt: mostly slower, but reads each byte once. */
function holdsRepeating(bytes: Buffer, text: Buffer, from: number): boolean {
  /** For each prefix length of the text: the length of its longest proper prefix that is also its suffix. */
  const shorter = new Uint32Array(text.length + 1);
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = shorter[length]!;
    if (text[index] === text[length]) length++;
    shorter[index + 1] = length;
  }
  for (let index = from, length = 0; index < bytes.length; index++) {
    while (length > 0 && bytes[index] !== text[length]) length = shorter[length]!;
    if (bytes[index] === text[length]) length++;
    if (length === text.length) return true;
  }
  return false;
}
