import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';

/** Untrusted text: keeps its lines, and escapes everything that a terminal would obey. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeText).join('\n');
}

/** Rows of texts under a head, as columns. */
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
