import { YamlError } from '../yaml-error.ts';

/** Matches characters that YAML 1.1 forbids. https://yaml.org/spec/1.1/#c-printable */
const FORBIDDEN = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Refuses control characters and invalid UTF-8 (which a text holds as lone surrogates).
 * @throws YamlError worded as go-yaml's reader.
 */
export function checkCharacters(text: string): void {
  const found = FORBIDDEN.exec(text);
  if (found === null) return;
  const unit = text.charCodeAt(found.index);
  const isByte = unit >= 0xdc80 && unit <= 0xdcff;
  throw new YamlError(
    `yaml: ${isByte ? byteProblem(text, found.index) : 'control characters are not allowed'}`,
  );
}

function byteProblem(text: string, index: number): string {
  const byte = text.charCodeAt(index) - 0xdc00;
  const width = widthAfter(byte);
  if (width === 0) return 'invalid leading UTF-8 octet';
  for (let at = index + 1; at < index + width; at++) {
    if (at >= text.length) return 'incomplete UTF-8 octet sequence';
    const next = text.charCodeAt(at) - 0xdc00;
    if (next < 0x80 || next > 0xbf) return 'invalid trailing UTF-8 octet';
  }
  // Surrogates and code points beyond U+10FFFF have a valid form; otherwise the form is longer than necessary.
  return byte === 0xed || byte >= 0xf4 ? 'invalid Unicode character' : 'invalid length of a UTF-8 sequence';
}

/** Returns the length in bytes of a sequence that begins with this byte; 0 if none does. */
function widthAfter(byte: number): number {
  if (byte < 0xc0 || byte >= 0xf8) return 0;
  if (byte >= 0xf0) return 4;
  return byte >= 0xe0 ? 3 : 2;
}
