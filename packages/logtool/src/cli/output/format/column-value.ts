import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { type ColumnName, columnOf } from '../../../domain/columns.ts';
import type { Run } from '../../../domain/record.ts';

/**
 * Returns column values that are safe for a terminal, computed once for each run; '' if there is no value.
 * Escapes in a pipe, too: it may lead to a pager, and Kubernetes names stay unchanged.
 */
export function createSafeValue(): (column: ColumnName, run: Run) => string {
  const known = new WeakMap<Run, Map<ColumnName, string>>();
  return (column, run) => {
    const values = known.get(run) ?? new Map<ColumnName, string>();
    const value =
      values.get(column) ?? sanitizeText(columnOf(column).value(run.target, run.key.containerId) ?? '');
    known.set(run, values.set(column, value));
    return value;
  };
}
