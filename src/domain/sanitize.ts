/**
 * Makes text of unknown origin harmless for a terminal (CVE-2021-25743 and its kind): control characters, C1 controls
 * included, are shown instead of sent, and so are the characters that reorder text (bidirectional controls).
 */

const SGR = String.raw`\x1b\[[0-9;:]*m`;
/** Sequences that only set colour and weight. */
export const SGR_PATTERN = new RegExp(SGR, 'g');
/** Everything that is not to be sent as it is; the first alternative is what may pass. */
const SUSPECT = new RegExp(
  String.raw`${SGR}|[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]`,
  'g',
);
const RESET = '\x1b[0m';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 as text, with U+FFFD for each part that is not valid. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * One line of a log as a terminal may show it. `\x1b` becomes `^[`, a CR `␍` (one at the very end is left out), other
 * control characters `\x07`. With `colour`, SGR sequences pass and are reset at the end of the line; else they are
 * left out.
 */
export function sanitizeLine(line: string, colour: boolean): string {
  return sanitizePart(line.endsWith('\r') ? line.slice(0, -1) : line, colour);
}

/** The same of a part of a line that goes on: no CR is at its very end. */
export function sanitizePart(text: string, colour: boolean): string {
  let open = false;
  const safe = text.replace(SUSPECT, (found) => {
    if (found.length === 1) return visible(found);
    if (!colour) return '';
    open = found !== RESET && found !== '\x1b[m';
    return found;
  });
  return open ? safe + RESET : safe;
}

/** Text for messages and column values: the same, on one line and without any colour. */
export function sanitizeText(text: string): string {
  return sanitizeLine(text, false);
}

function visible(character: string): string {
  if (character === '\x1b') return '^[';
  if (character === '\r') return '␍';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
