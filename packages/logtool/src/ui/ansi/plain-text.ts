import { splitAnsi } from './segments.ts';

/** A name or a value from a log in one line: what would act on the page or mislead the reader is written out as visible characters. */
export function legibleText(text: string): string {
  return splitAnsi(text)
    .map((segment) => segment.text)
    .join('');
}

/** Lines as users read them: without the sequences that color them. A color left open ends with its line. */
export function plainText(text: string): string {
  return text.split('\n').map(legibleText).join('\n');
}
