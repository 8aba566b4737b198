import { GoError } from '../../../template/errors.ts';
import { bytesToText } from '../../../value/bytes.ts';
import { quote } from '../../../value/quote.ts';

/** Components of a URL; each allows other characters unescaped. */
export type UrlComponent = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const HOST = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;
/** The rules of RFC 3986 as Go's net/url applies them. */
const ALLOWED: Readonly<Record<UrlComponent, RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  host: HOST,
  zone: HOST,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
};

/** Decodes bytes held as Latin-1 characters to text: URLs are split byte by byte. */
export function textOfLatin(latin: string): string {
  return bytesToText(Buffer.from(latin, 'latin1'));
}

/** Escapes the Latin-1 characters that the component cannot contain as %XX. */
export function escapeComponent(latin: string, component: UrlComponent): string {
  return latin.replace(/[\s\S]/g, (byte) =>
    ALLOWED[component].test(byte)
      ? byte
      : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Decodes %XX to bytes. Throws GoError for an invalid escape, or one not allowed in a host. */
export function unescapeComponent(latin: string, component: UrlComponent): string {
  return latin.replace(/%([\da-fA-F]{2})|[\s\S]/g, (found, hex: string | undefined, at: number) => {
    if (hex === undefined) {
      if (found === '%') throw invalidEscape(latin.slice(at, at + 3));
      checkInHost(found, component);
      return found;
    }
    const byte = Number.parseInt(hex, 16);
    const character = String.fromCharCode(byte);
    if (component === 'host' && byte < 0x80 && found !== '%25') throw invalidEscape(found);
    if (component === 'zone' && found !== '%25' && byte !== 0x20 && !HOST.test(character))
      throw invalidEscape(found);
    return character;
  });
}

function checkInHost(byte: string, component: UrlComponent): void {
  if (component !== 'host' && component !== 'zone') return;
  if (byte.charCodeAt(0) < 0x80 && !HOST.test(byte))
    throw new GoError(`invalid character ${quote(byte)} in host name`);
}

function invalidEscape(latin: string): GoError {
  return new GoError(`invalid URL escape ${quote(textOfLatin(latin))}`);
}
