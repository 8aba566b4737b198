import { structureLine } from '../../../domain/structured/structure-line.ts';
import type { StructuredLine } from '../../../domain/structured/structured-line.ts';
import type { Row } from '../../worker/session/protocol.ts';

type Line = Extract<Row, { readonly kind: 'line' }>;

/** Rows are drawn again far more often than they change: each is taken apart once, and only if it is drawn. */
const known = new WeakMap<Line, StructuredLine | undefined>();

/** The line taken apart; undefined if it is text. */
export function structuredOf(row: Line): StructuredLine | undefined {
  if (!known.has(row)) known.set(row, structureLine(row.text, row.level));
  return known.get(row);
}

/** Whether something opens below a line. JSON over several lines has no fields in its first one. */
export function hasFields(row: Line): boolean {
  if (row.isJson) return row.record?.isJson !== true;
  return structuredOf(row) !== undefined;
}
