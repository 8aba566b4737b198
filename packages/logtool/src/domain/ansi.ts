const ESC = 0x1b;

/**
 * The message without its colours: SGR sequences (`ESC [ ... m`) and the erase-in-line (`ESC [ K`) that coloured
 * output of grep and compilers carries. Without any ESC the same array is given back, at no cost.
 * ECMA-48, 8.3.117 (SGR) and 8.3.41 (EL).
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

/** Where a colour sequence that begins at `start` ends; undefined when there is none. */
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

/** As stripSgr, for text: what is left, and for each of its UTF-16 units (and the end) the place in the text. */
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
