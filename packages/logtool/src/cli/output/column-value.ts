import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ColumnName } from '../../domain/columns.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Source } from '../../domain/record.ts';

/** What a container has in a column; undefined where it is not known, and for columns of the record itself. */
export function columnValue(column: ColumnName, target: ContainerTarget): string | undefined {
  switch (column) {
    case 'namespace':
    case 'pod':
    case 'container':
      return target[column];
    case 'node':
    case 'region':
    case 'zone':
    case 'os':
    case 'arch':
      return target.placement[column];
    case 'timestamp':
    case 'dot':
      return undefined;
  }
}

/**
 * Column values that are safe for a terminal, worked out once for each source; '' where there is none. In a pipe too: it
 * may lead to a pager, and names of Kubernetes stay as they are.
 */
export function createSafeValue(): (column: ColumnName, source: Source) => string {
  const known = new WeakMap<Source, Map<ColumnName, string>>();
  return (column, source) => {
    const values = known.get(source) ?? new Map<ColumnName, string>();
    const value = values.get(column) ?? sanitizeText(columnValue(column, source.target) ?? '');
    known.set(source, values.set(column, value));
    return value;
  };
}
