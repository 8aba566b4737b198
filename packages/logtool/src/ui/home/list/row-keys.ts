import type { HeldRow } from './hold-order.ts';

export type RowKey =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'page-down'
  | 'page-up'
  | 'select'
  | 'open'
  | 'clear';

const KEYS: Readonly<Record<string, RowKey>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
  PageDown: 'page-down',
  PageUp: 'page-up',
  x: 'select',
  Enter: 'open',
  Escape: 'clear',
};
const PAGE_ROWS = 20;

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key means in the list; with Ctrl, Alt or Meta it is the browser's. */
export function readRowKey({ key, ctrlKey, metaKey, altKey }: Key): RowKey | undefined {
  return ctrlKey || metaKey || altKey || !Object.hasOwn(KEYS, key) ? undefined : KEYS[key];
}

/** The row that a key leads to. The first key in a list leads to its first row (or last). */
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
