import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { warmConsole } from '../app/warm-console.ts';
import type { HeldRows } from './hold-order.ts';
import { boxState } from './selection.ts';
import type { SortColumn } from './sort.ts';
import { sourceArgument } from './source-argument.ts';
import { TableHead } from './table-head.tsx';
import { WorkloadRow } from './workload-row.tsx';

/** px; as in the style sheet. */
const ROW = 30;
const NARROW_ROW = 48;
const HEAD = 29;
/** Room below the last row, which the bar would stand over. */
const SELECTION_BAR = 68;

export interface WorkloadTableProps {
  readonly context: string;
  readonly held: HeldRows;
  readonly terms: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  readonly hasAgent: boolean;
  /** Columns are missing for want of the agent, and there is room to say so in the header. */
  readonly saysAgent: boolean;
  readonly isNarrow: boolean;
  /** Row that has the keys; undefined: the first one. */
  readonly active: string | undefined;
  /** Counts up when the active row is to be given the focus. */
  readonly focusRequest: number;
  readonly onActive: (id: string) => void;
  readonly onSort: (column: SortColumn) => void;
  readonly onToggle: (source: string) => void;
  readonly onToggleAll: () => void;
  /** Whether somebody points at the rows, or has the focus there. */
  readonly onHold: (isHeld: boolean) => void;
  readonly onRowKey: (event: KeyboardEvent) => void;
}

/** The list. Only rows in view (and the active one, which may have the focus) are in the document. */
export function WorkloadTable(props: WorkloadTableProps) {
  const { context, held, terms, selected, hasAgent, saysAgent, isNarrow, active } = props;
  const { focusRequest, onActive, onHold } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { rows } = held;
  const found = active === undefined ? -1 : rows.findIndex(({ workload }) => workload.id === active);
  const activeIndex = found === -1 ? 0 : found;
  const rowPx = isNarrow ? NARROW_ROW : ROW;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: HEAD,
    paddingEnd: selected.size > 0 ? SELECTION_BAR : 0,
    scrollPaddingStart: HEAD,
    getItemKey: useCallback((index: number) => rows[index]?.workload.id ?? index, [rows]),
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (activeIndex >= rows.length || indexes.includes(activeIndex)) return indexes;
      return [...indexes, activeIndex].sort((a, b) => a - b);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of rows changes
  useLayoutEffect(() => virtual.measure(), [rowPx]);

  const done = useRef(0);
  useLayoutEffect(() => {
    if (done.current === focusRequest || rows.length === 0) return;
    done.current = focusRequest;
    virtual.scrollToIndex(activeIndex);
    const row = scroller.current?.querySelector(
      `tr[data-id="${CSS.escape(rows[activeIndex]?.workload.id ?? '')}"]`,
    );
    row?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
  });

  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useLayoutEffect(() => onHold(isPointed || isFocused), [isPointed, isFocused, onHold]);

  const items = virtual.getVirtualItems();
  let reached = HEAD;
  const body = items.flatMap((item) => {
    const row = rows[item.index];
    if (row === undefined) return [];
    const gap = item.start - reached;
    reached = item.end;
    const source = sourceArgument(row.workload);
    return [
      ...(gap > 0 ? [<Spacer key={`before-${item.key}`} px={gap} />] : []),
      <WorkloadRow
        key={item.key}
        workload={row.workload}
        context={context}
        terms={terms}
        rowNumber={item.index + 2}
        isSelected={selected.has(source)}
        isActive={item.index === activeIndex}
        isGone={row.isGone}
        hasAgent={hasAgent}
        saysAgent={saysAgent}
        onToggle={props.onToggle}
      />,
    ];
  });
  const after = virtual.getTotalSize() + HEAD - reached;

  return (
    <div className="list-scroller" ref={scroller}>
      <table
        aria-label="Workloads"
        aria-rowcount={rows.length + 1}
        className={hasAgent ? 'with-agent' : undefined}
      >
        <TableHead
          sort={props.sort}
          isDescending={props.isDescending}
          hasAgent={hasAgent}
          saysAgent={saysAgent}
          box={boxState(
            selected,
            rows.map(({ workload }) => workload),
          )}
          isEmpty={rows.length === 0}
          onSort={props.onSort}
          onToggleAll={props.onToggleAll}
        />
        <tbody
          onPointerEnter={() => {
            setPointed(true);
            warmConsole();
          }}
          onPointerLeave={() => setPointed(false)}
          onFocus={(event) => {
            setFocused(true);
            warmConsole();
            const id = (event.target as HTMLElement).closest('tr')?.dataset.id;
            if (id !== undefined) onActive(id);
          }}
          onBlur={() => setFocused(false)}
          onKeyDown={props.onRowKey}
        >
          {body}
          {after > 0 ? <Spacer px={after} /> : null}
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not in the document. */
function Spacer({ px }: { readonly px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true" className="spacer">
      <td style={{ height: px }} />
    </tr>
  );
}
