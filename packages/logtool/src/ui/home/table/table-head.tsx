import { Checkbox } from '../app/chrome/checkbox.tsx';
import { AGENT_NEEDED, HOME_COLUMNS, NO_AGENT_YET } from './columns.ts';
import type { BoxState } from './selection.ts';
import type { SortColumn } from './sort.ts';

interface TableHeadProps {
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  readonly hasAgent: boolean;
  /** Columns are missing for want of the agent: said here. */
  readonly saysAgent: boolean;
  readonly box: BoxState;
  readonly isEmpty: boolean;
  readonly onSort: (column: SortColumn) => void;
  readonly onToggleAll: () => void;
}

export function TableHead(props: TableHeadProps) {
  const { sort, isDescending, hasAgent, saysAgent, box, isEmpty, onSort, onToggleAll } = props;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className="c-box" scope="col">
          <Checkbox state={box} disabled={isEmpty} aria-label="Select all visible" onChange={onToggleAll} />
        </th>
        {HOME_COLUMNS.filter(({ ofAgent }) => hasAgent || ofAgent !== true).map(
          ({ className, label, sort: column }) => {
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
          },
        )}
        {saysAgent ? (
          <th className="c-agent num" scope="col" title={NO_AGENT_YET}>
            {AGENT_NEEDED}
          </th>
        ) : null}
      </tr>
    </thead>
  );
}
