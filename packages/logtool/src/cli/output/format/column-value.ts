import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { type ColumnName, columnOf } from '../../../domain/columns.ts';
import type { Source } from '../../../domain/record.ts';

/**
 * Returns column values that are safe for a terminal, computed once for each run; '' if there is no value.
 * Escapes in a pipe, too: it may lead to a pager, and Kubernetes names stay unchanged.
 */
export function createSafeValue(): (column: ColumnName, source: Source) => string {
  const known = new WeakMap<Source, Map<ColumnName, string>>();
  return (column, source) => {
    const values = known.get(source) ?? new Map<ColumnName, string>();
    const value =
      values.get(column) ?? sanitizeText(columnOf(column).value(source.target, source.key.containerId) ?? '');
    known.set(source, values.set(column, value));
    return value;
  };
}
