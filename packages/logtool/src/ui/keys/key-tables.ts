import type { KeyLine } from './chord.ts';

/*
 * Every key of the page. Key handling, the help that `?` opens, tooltips and docs/dashboard.md derive from
 * these tables. Keys inside a menu, a list of choices or a slider follow the ARIA pattern and are not listed.
 */

/** Commands available on every page. */
export type PageCommand = 'palette' | 'keys' | 'close';

export const PAGE_KEYS: readonly KeyLine<PageCommand>[] = [
  {
    meaning: 'Go to a workload, a context or a view',
    keys: { 'Ctrl k': 'palette' },
    also: { 'Ctrl Shift k': 'palette' },
  },
  { meaning: 'Show these keys', keys: { '?': 'keys' }, also: { 'Alt Ctrl ?': 'keys' } },
  { meaning: 'Close, or go back to the list', keys: { Escape: 'close' } },
];

/** In the list of workloads. */
export type ListCommand =
  | 'find'
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'page-down'
  | 'page-up'
  | 'select'
  | 'open'
  | 'clear';

export const LIST_KEYS: readonly KeyLine<ListCommand>[] = [
  { meaning: 'Find a workload', keys: { '/': 'find' } },
  {
    meaning: 'Move through the list',
    keys: { ArrowUp: 'previous', ArrowDown: 'next' },
    also: {
      Home: 'first',
      End: 'last',
      PageDown: 'page-down',
      PageUp: 'page-up',
      'Shift ArrowUp': 'previous',
      'Shift ArrowDown': 'next',
    },
  },
  {
    meaning: 'Open the workload, or all selected ones',
    keys: { Enter: 'open' },
    also: { 'Shift Enter': 'open' },
  },
  { meaning: 'Select', keys: { x: 'select' }, also: { Escape: 'clear' } },
];
