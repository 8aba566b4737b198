import { INVISIBLE, INVISIBLE_PAIR, INVISIBLE_PAIR_START, isOfWriting } from './invisible.ts';

/**
 * Makes untrusted text safe for a terminal (CVE-2021-25743 and similar): shows control characters, including C1
 * controls, instead of sending them; also shows characters that are invisible or reorder text, and sequences that hide
 * text.
 */

const SGR = String.raw`\x1b\[[0-9;:]*m`;
/** Sequences that only set color and weight. */
export const SGR_PATTERN = new RegExp(SGR, 'g');
const CONTROLS = String.raw`\x00-\x08\x0a-\x1f\x7f`;
/** Most lines contain none of these, so one search settles them. */
const UNUSUAL = new RegExp(String.raw`[${CONTROLS}\x80-\x9f${INVISIBLE}${INVISIBLE_PAIR_START}]`);
const NOT_ASCII = /[^\x00-\x7f]/;
/** Everything to escape; the first alternative is what may pass. */
const SUSPECT = new RegExp(String.raw`${SGR}|[${CONTROLS}\x80-\x9f${INVISIBLE}]|${INVISIBLE_PAIR}`, 'g');
/** The same in ASCII; takes half the time. */
const SUSPECT_ASCII = new RegExp(`${SGR}|[${CONTROLS}]`, 'g');
/** `ESC [ m`: longer than any character. */
const MIN_SGR = 3;
const RESET = '\x1b[0m';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8, with U+FFFD for each invalid part. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Makes one log line safe for a terminal. `\x1b` becomes `^[`, a CR `␍` (one at the very end is removed), other control
 * characters `\x07`, invisible ones `\u200b`. With `color`, SGR sequences pass and are reset at the end of the line,
 * except those that hide text, which are shown; without it, they are removed.
 */
export function sanitizeLine(line: string, color: boolean): string {
  return sanitizeFragment(line.endsWith('\r') ? line.slice(0, -1) : line, color);
}

/** The same for part of a line that continues, so a CR at its end stays. */
export function sanitizeFragment(text: string, color: boolean): string {
  if (!UNUSUAL.test(text)) return text;
  let open = false;
  const suspect = NOT_ASCII.test(text) ? SUSPECT : SUSPECT_ASCII;
  const safe = text.replace(suspect, (found, at: number) => {
    if (found.length < MIN_SGR) return isOfWriting(found, text, at) ? found : visible(found);
    if (!color) return '';
    if (hides(found)) return `^[${found.slice(1)}`;
    open = found !== RESET && found !== '\x1b[m';
    return found;
  });
  return open ? safe + RESET : safe;
}

/** The same for messages and column values: on one line and without color. */
export function sanitizeText(text: string): string {
  return sanitizeLine(text, false);
}

/** A parameter 8 with any meaning. */
const MAY_HIDE = /[[;]0*8[:;m]/;

/** Whether an SGR sequence has the parameter 8, conceal, outside of a color (`38;5;8`). ECMA-48, 8.3.117. */
function hides(sequence: string): boolean {
  if (!sequence.includes('8') || !MAY_HIDE.test(sequence)) return false;
  const parameters = sequence.slice(2, -1).replace(COLOR, '').split(';');
  return parameters.some((parameter) => /^0*8(?::|$)/.test(parameter));
}

/**
 * Colors of a palette and by red, green and blue (ITU-T T.416), as xterm writes them, with semicolons. Excludes
 * underline colors (58): a terminal that does not know them reads their parameters one by one.
 */
const COLOR = /(?<=^|;)0*[34]8(?:;0*5;\d*|;0*2;\d*;\d*;\d*)(?=;|$)/g;

function visible(character: string): string {
  if (character === '\x1b') return '^[';
  if (character === '\r') return '␍';
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
