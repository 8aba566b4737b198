const ESC = 0x1b;

/**
 * Returns the message without colors: drops SGR sequences (`ESC [ ... m`) and the erase-in-line (`ESC [ K`) that
 * colored output of grep and compilers carries. Returns the same array, at no cost, if it contains no ESC. ECMA-48,
 * 8.3.117 (SGR) and 8.3.41 (EL).
 */
export function stripSgr(message: Uint8Array): Uint8Array {
  let start = message.indexOf(ESC);
  if (start === -1) return message;
  const kept = new Uint8Array(message.length);
  let length = 0;
  let from = 0;
  while (start !== -1) {
    const end = sgrEnd(message, start);
    if (end !== undefined) {
      kept.set(message.subarray(from, start), length);
      length += start - from;
      from = end;
    }
    start = message.indexOf(ESC, end ?? start + 1);
  }
  kept.set(message.subarray(from), length);
  return kept.subarray(0, length + message.length - from);
}

/** Returns the end of a color sequence that begins at `start`; undefined if none begins there. */
function sgrEnd(message: Uint8Array, start: number): number | undefined {
  if (message[start + 1] !== 0x5b) return undefined;
  let at = start + 2;
  // Parameters: digits, ':' and ';'.
  while (at < message.length && isParameter(message[at] ?? 0)) at++;
  return message[at] === 0x6d || message[at] === 0x4b ? at + 1 : undefined;
}

function isParameter(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x3b;
}

const SGR_TEXT = /\x1b\[[0-9:;]*[mK]/g;

/**
 * Like stripSgr, for text: returns the remaining text, and maps each of its UTF-16 offsets (the end included) to the
 * original text.
 */
export function stripSgrText(text: string): {
  readonly text: string;
  readonly at: (index: number) => number;
} {
  if (!text.includes('\x1b[')) return { text, at: (index) => index };
  const offsets: number[] = [];
  let kept = '';
  let from = 0;
  const keep = (to: number) => {
    for (let index = from; index < to; index++) offsets.push(index);
    kept += text.slice(from, to);
  };
  for (const match of text.matchAll(SGR_TEXT)) {
    keep(match.index);
    from = match.index + match[0].length;
  }
  keep(text.length);
  return { text: kept, at: (index) => offsets[index] ?? text.length };
}
