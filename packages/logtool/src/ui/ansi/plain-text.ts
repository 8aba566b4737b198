import { splitAnsi } from './segments.ts';

/**
 * Returns a name or a value from a log in one line. Characters that would affect the page or mislead the
 * reader become visible escapes.
 */
export function legibleText(text: string): string {
  return splitAnsi(text)
    .map((segment) => segment.text)
    .join('');
}

/** Returns lines as users read them, without color sequences. An open color ends with its line. */
export function plainText(text: string): string {
  return text.split('\n').map(legibleText).join('\n');
}
