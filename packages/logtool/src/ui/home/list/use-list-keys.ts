import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useOpen } from '../../app/chrome/page-link.tsx';
import { isTyping } from '../../frame/typing.ts';
import { commandOf, type KeyPress } from '../../keys/chord.ts';
import { LIST_KEYS, type ListCommand } from '../../keys/key-tables.ts';
import { consoleHref } from '../../shell/links.ts';
import type { HomeUrlState } from '../url/use-home-url.ts';
import type { HeldRow } from './hold-order.ts';
import { OPEN_LIMIT } from './selection.ts';
import { sourceArgument } from './source-argument.ts';

type RowKey = Exclude<ListCommand, 'find'>;

const PAGE_ROWS = 20;

/** The row that the keys act on. */
export interface ListCursor {
  /** Undefined: the first row. */
  readonly active: string | undefined;
  /** Incremented when the active row must get the focus. */
  readonly focusRequest: number;
  readonly setActive: (id: string) => void;
}

interface ListKeysOptions {
  readonly address: HomeUrlState;
  readonly context: string | undefined;
  readonly rows: readonly HeldRow[];
  readonly onToggle: (source: string) => void;
}

interface ListKeys {
  readonly cursor: ListCursor;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onRowKey: (event: KeyboardEvent) => void;
  readonly onFieldKey: (event: KeyboardEvent) => void;
}

/** Handles the keys of the list: in the list, in the field above it, and when nothing has the focus. */
export function useListKeys({ address, context, rows, onToggle }: ListKeysOptions): ListKeys {
  const { url, change, settle } = address;
  const open = useOpen();
  const field = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState<string | undefined>();
  const [focusRequest, setFocusRequest] = useState(0);
  const activeRow = () => rows.find(({ workload }) => workload.id === active) ?? rows[0];
  const focusRow = (id: string | undefined) => {
    if (id === undefined) return;
    setActive(id);
    setFocusRequest((count) => count + 1);
  };
  const openChosen = () => {
    const row = activeRow();
    const own = row === undefined || row.isGone ? [] : [sourceArgument(row.workload)];
    const sources = url.sel.length > 0 ? url.sel : own;
    if (context === undefined || sources.length === 0 || sources.length > OPEN_LIMIT) return;
    // Recent typing must be in the address that Back returns to.
    void settle().then(() => open(consoleHref(context, sources)));
  };
  const onRowKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    const key = readRowKey(event);
    // A row's link opens the row itself.
    if (key === undefined || (key === 'open' && url.sel.length === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    switch (key) {
      case 'open':
        return openChosen();
      case 'clear':
        return change({ sel: [] });
      case 'select': {
        const row = activeRow();
        if (row !== undefined) onToggle(sourceArgument(row.workload));
        return;
      }
      case 'first':
      case 'last':
      case 'next':
      case 'page-down':
      case 'page-up':
      case 'previous':
        focusRow(targetRow(rows, active, key));
        return;
      default:
        key satisfies never;
    }
  };
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') focusRow(rows[0]?.workload.id);
    else if (event.key === 'Enter') openChosen();
    else if (event.key === 'Escape' && url.q !== '') change({ q: '' });
    else if (event.key === 'Escape') focusRow(active ?? rows[0]?.workload.id);
    else return;
    event.preventDefault();
  };
  usePageKeys(field, onRowKey);
  return { cursor: { active, focusRequest, setActive }, field, onRowKey, onFieldKey };
}

/** Handles the key that focuses the search field and, when nothing has the focus, the keys of the list. */
function usePageKeys(
  field: RefObject<HTMLInputElement | null>,
  onRowKey: (event: globalThis.KeyboardEvent) => void,
): void {
  const latest = useRef(onRowKey);
  useEffect(() => {
    latest.current = onRowKey;
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isInDialog = target instanceof Element && target.closest('[role="dialog"]') !== null;
      if (isTyping(target) || isInDialog) return;
      if (commandOf(LIST_KEYS, event) === 'find') {
        event.preventDefault();
        field.current?.focus();
        field.current?.select();
      } else if (target === document.body) latest.current(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [field]);
}

/** Returns what a key means in the list; the browser handles keys with Ctrl, Alt or Meta. */
export function readRowKey(press: KeyPress): RowKey | undefined {
  const command = commandOf(LIST_KEYS, press);
  return command === 'find' ? undefined : command;
}

/** Returns the row that a key leads to. The first key press leads to the first row (or the last). */
export function targetRow(
  rows: readonly HeldRow[],
  active: string | undefined,
  key: RowKey,
): string | undefined {
  const last = rows.length - 1;
  const at = active === undefined ? -1 : rows.findIndex(({ workload }) => workload.id === active);
  const to = {
    next: at + 1,
    previous: at === -1 ? last : at - 1,
    first: 0,
    last,
    'page-down': at + PAGE_ROWS,
    'page-up': at - PAGE_ROWS,
  }[key as string];
  if (to === undefined) return undefined;
  return rows[Math.min(Math.max(to, 0), last)]?.workload.id;
}
