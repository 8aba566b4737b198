import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useShell } from '../../shell/shell-context.ts';
import type { HeldRow, HeldRows } from '../list/hold-order.ts';
import { boxState, toggleVisible } from '../list/selection.ts';
import { sourceArgument } from '../list/source-argument.ts';
import type { ListCursor } from '../list/use-list-keys.ts';
import type { HomeUrl } from '../url/home-url.ts';
import { sortedBy } from '../url/sort.ts';
import { TableHead } from './table-head.tsx';
import { WorkloadRow } from './workload-row.tsx';
import './table.css';
import './row.css';

/** In px; must match the style sheet. */
const ROW = 30;
const NARROW_ROW = 48;
const HEAD = 29;
/** Space below the last row, so that the selection bar does not cover it. */
const SELECTION_BAR = 68;

export interface WorkloadTableProps {
  readonly url: HomeUrl;
  readonly context: string;
  readonly held: HeldRows;
  readonly terms: readonly string[];
  /** An agent reports sizes and activity. */
  readonly hasAgent: boolean;
  readonly isNarrow: boolean;
  readonly cursor: ListCursor;
  readonly change: (changes: Partial<HomeUrl>) => void;
  readonly onToggle: (source: string) => void;
  /** Reports whether the pointer or the focus is on the rows. */
  readonly onHold: (isHeld: boolean) => void;
  readonly onRowKey: (event: KeyboardEvent) => void;
}

/** The list. Only visible rows, and the active one (which may have the focus), are in the document. */
export function WorkloadTable(props: WorkloadTableProps) {
  const { url, held, hasAgent, cursor, change } = props;
  const { rows } = held;
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useMemo(() => new Set(url.sel), [url.sel]);
  const visible = rows.map(({ workload }) => workload);
  const found = rows.findIndex(({ workload }) => workload.id === cursor.active);
  const activeIndex = found === -1 ? 0 : found;
  const virtual = useVirtualRows(scroller, rows, activeIndex, {
    rowPx: props.isNarrow ? NARROW_ROW : ROW,
    hasBar: selected.size > 0,
  });
  useFocusRequest(scroller, virtual, rows, activeIndex, cursor.focusRequest);
  const pointing = usePointing(props.onHold, cursor.setActive);
  return (
    <div className="list-scroller" ref={scroller}>
      <table
        aria-label="Workloads"
        aria-rowcount={rows.length + 1}
        className={hasAgent ? 'with-agent' : undefined}
      >
        <TableHead
          sort={url.sort}
          isDescending={url.isDescending}
          hasAgent={hasAgent}
          box={boxState(selected, visible)}
          isEmpty={rows.length === 0}
          onSort={(column) => change(sortedBy(url, column))}
          onToggleAll={() => change({ sel: toggleVisible(url.sel, visible) })}
        />
        <tbody {...pointing} onKeyDown={props.onRowKey}>
          <Body {...props} virtual={virtual} selected={selected} activeIndex={activeIndex} />
        </tbody>
      </table>
    </div>
  );
}

type VirtualRows = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

interface BodyProps extends WorkloadTableProps {
  readonly virtual: VirtualRows;
  readonly selected: ReadonlySet<string>;
  readonly activeIndex: number;
}

/** The rows in the document, with spacers in place of the others. */
function Body({ virtual, selected, activeIndex, context, held, terms, hasAgent, onToggle }: BodyProps) {
  let reached = HEAD;
  const body = virtual.getVirtualItems().flatMap((item) => {
    const row = held.rows[item.index];
    if (row === undefined) return [];
    const gap = item.start - reached;
    reached = item.end;
    return [
      ...(gap > 0 ? [<Spacer key={`before-${item.key}`} px={gap} />] : []),
      <WorkloadRow
        key={item.key}
        workload={row.workload}
        context={context}
        terms={terms}
        rowNumber={item.index + 2}
        isSelected={selected.has(sourceArgument(row.workload))}
        isActive={item.index === activeIndex}
        isGone={row.isGone}
        hasAgent={hasAgent}
        onToggle={onToggle}
      />,
    ];
  });
  const after = virtual.getTotalSize() + HEAD - reached;
  return (
    <>
      {body}
      {after > 0 ? <Spacer px={after} /> : null}
    </>
  );
}

interface RowSizes {
  readonly rowPx: number;
  /** The selection bar covers the end of the list. */
  readonly hasBar: boolean;
}

function useVirtualRows(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly HeldRow[],
  activeIndex: number,
  { rowPx, hasBar }: RowSizes,
): VirtualRows {
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: HEAD,
    paddingEnd: hasBar ? SELECTION_BAR : 0,
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
  return virtual;
}

/** Focuses the active row, once for each request. */
function useFocusRequest(
  scroller: RefObject<HTMLDivElement | null>,
  virtual: VirtualRows,
  rows: readonly HeldRow[],
  activeIndex: number,
  focusRequest: number,
): void {
  const done = useRef(0);
  useLayoutEffect(() => {
    if (done.current === focusRequest || rows.length === 0) return;
    done.current = focusRequest;
    virtual.scrollToIndex(activeIndex);
    const id = CSS.escape(rows[activeIndex]?.workload.id ?? '');
    const link = scroller.current?.querySelector<HTMLElement>(`tr[data-id="${id}"] a`);
    link?.focus({ preventScroll: true });
  });
}

/** Holds the rows in place while the pointer or the focus is on them. */
function usePointing(onHold: (isHeld: boolean) => void, onActive: (id: string) => void) {
  const { warmConsole } = useShell();
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useLayoutEffect(() => onHold(isPointed || isFocused), [isPointed, isFocused, onHold]);
  return {
    onPointerEnter: () => {
      setPointed(true);
      warmConsole();
    },
    onPointerLeave: () => setPointed(false),
    onFocus: (event: FocusEvent) => {
      setFocused(true);
      warmConsole();
      const id = (event.target as HTMLElement).closest('tr')?.dataset.id;
      if (id !== undefined) onActive(id);
    },
    onBlur: () => setFocused(false),
  };
}

/** Fills the space of rows that are not in the document. */
function Spacer({ px }: { readonly px: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true" className="spacer">
      <td style={{ height: px }} />
    </tr>
  );
}
