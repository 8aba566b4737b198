import { commandOf, type KeyPress } from '../../keys/chord.ts';
import { LIST_KEYS, type ListCommand } from '../../keys/key-tables.ts';
import type { HeldRow } from './hold-order.ts';

export type RowKey = Exclude<ListCommand, 'find'>;

const PAGE_ROWS = 20;

/** What a key means in the list; with Ctrl, Alt or Meta it is the browser's. */
export function readRowKey(press: KeyPress): RowKey | undefined {
  const command = commandOf(LIST_KEYS, press);
  return command === 'find' ? undefined : command;
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
