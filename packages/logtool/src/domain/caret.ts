/**
 * Returns two lines that show where a text is wrong: the text, and a caret under the character at `index` (in UTF-16
 * units; the text's length points after its end). Indents both by four blanks. Shows control characters as `?`, so that
 * typed text cannot move the cursor.
 */
export function caretUnder(text: string, index: number): string {
  const { start, shown, at } = cutAround(text, index);
  const before = shown.slice(0, at);
  const lead = start > 0 ? '...' : '';
  return `    ${lead}${escaped(shown)}\n    ${' '.repeat(lead.length + columns(before))}^`;
}

const MAX_SHOWN = 120;

/** Shows only the part around the index if the text is very long. */
function cutAround(text: string, index: number): { start: number; shown: string; at: number } {
  const at = Math.max(0, Math.min(index, text.length));
  if (text.length <= MAX_SHOWN) return { start: 0, shown: text, at };
  const start = Math.max(0, at - MAX_SHOWN / 2);
  return { start, shown: text.slice(start, start + MAX_SHOWN), at: at - start };
}

function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '?');
}

const MARK = /^\p{M}$/u;

/** Returns the columns that a text takes on a terminal: East Asian wide characters take two, combining marks none. */
function columns(text: string): number {
  let width = 0;
  for (const character of text) {
    if (MARK.test(character)) continue;
    width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
