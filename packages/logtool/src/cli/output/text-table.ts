import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';

/** Escapes everything in an untrusted text that a terminal would obey, but keeps its lines. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeText).join('\n');
}

/** Formats rows of texts under a header, as columns. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(sanitizeText));
  const widths = head.map((title, at) => Math.max(title.length, ...clean.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `${row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('   ')
      .trimEnd()}\n`;
  return [head, ...clean].map(line).join('');
}
