import { decodeUtf8, sanitizeLine } from '@logtool/kube/src/values/sanitize.ts';
import type { ColumnName } from '../../../domain/columns.ts';
import { csvCell } from '../../../domain/csv-cell.ts';
import { createSafeValue } from './column-value.ts';
import type { RecordFormat } from './record-format.ts';
import type { TimeFormat } from './time-format.ts';

interface SeparatedOptions {
  readonly kind: 'csv' | 'tsv';
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly time: TimeFormat;
  /**
   * Standard output is a terminal: escape control characters of messages, too; those of names are always
   * escaped.
   */
  readonly terminal: boolean;
}

/**
 * Formats the columns and the message as CSV (RFC 4180, lines end with CRLF) or TSV (a tab, a newline and a
 * backslash in a cell become `\t`, `
 * ` and `\\`). In both, `'` precedes a cell that a spreadsheet would read as a formula.
 */
export function createSeparatedFormat({
  kind,
  columns,
  header,
  time,
  terminal,
}: SeparatedOptions): RecordFormat {
  const shown = columns.filter((column) => column !== 'dot');
  const [separator, end] = kind === 'csv' ? [',', '\r\n'] : ['\t', '\n'];
  const safeValue = createSafeValue();
  const cell = kind === 'csv' ? csvCell : tsvCell;
  const messageCell = (text: string) => cell(terminal ? sanitizeLine(text, false) : text);
  return {
    see: () => undefined,
    header: () => (header ? [...shown, 'message'].join(separator) + end : undefined),
    append(record, to) {
      for (const column of shown) {
        const value = column === 'timestamp' ? time.format(record.at) : safeValue(column, record.run);
        to.text(cell(value) + separator);
      }
      to.text(messageCell(decodeUtf8(record.message)) + end);
    },
  };
}

const ESCAPED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function tsvCell(text: string): string {
  const escaped = text.replaceAll(/[\t\n\r\\]/g, (unit) => ESCAPED[unit] ?? unit);
  return /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(escaped) ? `'${escaped}` : escaped;
}
