import { splitAnsi } from './segments.ts';

/** Lines as they are read: without the sequences that colour them. Whatever colour one leaves open ends with it. */
export function plainText(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      splitAnsi(line)
        .map((segment) => segment.text)
        .join(''),
    )
    .join('\n');
}
