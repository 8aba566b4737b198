import { INVISIBLE, INVISIBLE_PAIR, INVISIBLE_PAIR_START, isOfWriting } from './invisible.ts';

/**
 * Makes text of unknown origin safe for a terminal (CVE-2021-25743 and its kind): control characters, C1 controls
 * included, are shown instead of sent, and so are characters that are invisible or reorder text, and sequences that hide
 * it.
 */

const SGR = String.raw`\x1b\[[0-9;:]*m`;
/** Sequences that only set colour and weight. */
export const SGR_PATTERN = new RegExp(SGR, 'g');
const CONTROLS = String.raw`\x00-\x08\x0a-\x1f\x7f`;
/** Most lines have none of these, which one search shows. */
const UNUSUAL = new RegExp(String.raw`[${CONTROLS}\x80-\x9f${INVISIBLE}${INVISIBLE_PAIR_START}]`);
const NOT_ASCII = /[^\x00-\x7f]/;
/** Everything that must be escaped; the first alternative is what may pass. */
const SUSPECT = new RegExp(String.raw`${SGR}|[${CONTROLS}\x80-\x9f${INVISIBLE}]|${INVISIBLE_PAIR}`, 'g');
/** The same in ASCII, in half the time. */
const SUSPECT_ASCII = new RegExp(`${SGR}|[${CONTROLS}]`, 'g');
/** `ESC [ m`: longer than any character. */
const MIN_SGR = 3;
const RESET = '\x1b[0m';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 as text, with U+FFFD for each part that is not valid. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * One line of a log as a terminal may show it. `\x1b` becomes `^[`, a CR `␍` (one at the very end is left out), other
 * control characters `\x07`, invisible ones `\u200b`. With `colour`, SGR sequences pass and are reset at the end of the
 * line, but for those that hide text, which become visible themselves; else they are left out.
 */
export function sanitizeLine(line: string, colour: boolean): string {
  return sanitizeFragment(line.endsWith('\r') ? line.slice(0, -1) : line, colour);
}

/** The same for part of a line that continues: no CR is at its very end. */
export function sanitizeFragment(text: string, colour: boolean): string {
  if (!UNUSUAL.test(text)) return text;
  let open = false;
  const suspect = NOT_ASCII.test(text) ? SUSPECT : SUSPECT_ASCII;
  const safe = text.replace(suspect, (found, at: number) => {
    if (found.length < MIN_SGR) return isOfWriting(found, text, at) ? found : visible(found);
    if (!colour) return '';
    if (hides(found)) return `^[${found.slice(1)}`;
    open = found !== RESET && found !== '\x1b[m';
    return found;
  });
  return open ? safe + RESET : safe;
}

/** Text for messages and column values: the same, on one line and without any colour. */
export function sanitizeText(text: string): string {
  return sanitizeLine(text, false);
}

/** A parameter 8 of whatever meaning. */
const MAY_HIDE = /[[;]0*8[:;m]/;

/** Whether an SGR sequence has the parameter 8, conceal, outside of a color (`38;5;8`). ECMA-48, 8.3.117. */
function hides(sequence: string): boolean {
  if (!sequence.includes('8') || !MAY_HIDE.test(sequence)) return false;
  const parameters = sequence.slice(2, -1).replace(COLOR, '').split(';');
  return parameters.some((parameter) => /^0*8(?::|$)/.test(parameter));
}

/**
 * Colors of a palette and by red, green and blue (ITU-T T.416), as xterm writes them, with semicolons. Those of
 * underlines (58) are none: a terminal that does not know them takes their parameters one by one.
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
