import { structureLine } from '../../../domain/structured/structure-line.ts';
import type { StructuredLine } from '../../../domain/structured/structured-line.ts';
import type { Row } from '../../worker/protocol/protocol.ts';

type Line = Extract<Row, { readonly kind: 'line' }>;

/** Rows are drawn far more often than they change: each is parsed once, and only if it is drawn. */
const known = new WeakMap<Line, StructuredLine | undefined>();

/** The parsed line; undefined if it is plain text. */
export function structuredOf(row: Line): StructuredLine | undefined {
  if (!known.has(row)) known.set(row, structureLine(row.text, row.level));
  return known.get(row);
}

/** Whether a line has details to open. The first line of multi-line JSON has no fields. */
export function hasFields(row: Line): boolean {
  if (row.isJson) return row.record?.isJson !== true;
  return structuredOf(row) !== undefined;
}
