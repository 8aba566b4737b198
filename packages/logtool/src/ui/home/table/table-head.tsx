import { Checkbox } from '../../app/chrome/checkbox.tsx';
import type { BoxState } from '../list/selection.ts';
import type { SortColumn } from '../url/sort.ts';
import { homeColumns } from './columns.ts';

interface TableHeadProps {
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  readonly hasAgent: boolean;
  readonly box: BoxState;
  readonly isEmpty: boolean;
  readonly onSort: (column: SortColumn) => void;
  readonly onToggleAll: () => void;
}

export function TableHead(props: TableHeadProps) {
  const { sort, isDescending, hasAgent, box, isEmpty, onSort, onToggleAll } = props;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className="c-box" scope="col">
          <Checkbox state={box} disabled={isEmpty} aria-label="Select all visible" onChange={onToggleAll} />
        </th>
        {homeColumns(hasAgent).map(({ className, label, sort: column }) => {
          const direction = column !== sort ? undefined : isDescending ? 'descending' : 'ascending';
          return (
            <th key={label} className={className} scope="col" aria-sort={direction ?? 'none'}>
              {column === undefined ? (
                label
              ) : (
                <button type="button" onClick={() => onSort(column)}>
                  {label}
                  {direction === undefined ? null : (
                    <span aria-hidden="true"> {direction === 'ascending' ? '↑' : '↓'}</span>
                  )}
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
