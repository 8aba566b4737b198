import type { ColumnName } from '../../domain/columns.ts';
import type { ContainerTarget } from '../../domain/container.ts';

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
