import type { Chord, KeyLine } from './chord.ts';
import { LIST_KEYS, PAGE_KEYS } from './key-tables.ts';

/* The keys of the logs, in a separate file so that the list of workloads loads without them. */

type FindWhat = 'hit' | 'error' | 'warn' | 'event';

/** Commands in the logs and around them. */
export type ConsoleCommand =
  | { readonly do: 'move'; readonly rows: number; readonly selects: boolean }
  | { readonly do: 'page'; readonly direction: -1 | 1 }
  | { readonly do: 'find'; readonly what: FindWhat; readonly direction: 'next' | 'previous' }
  | {
      readonly do:
        | 'start'
        | 'end'
        | 'pause'
        | 'follow'
        | 'toggle'
        | 'search'
        | 'copy'
        | 'copy-named'
        | 'select-all'
        | 'link'
        | 'wrap'
        | 'group'
        | 'raw'
        | 'equal'
        | 'details'
        | 'pin'
        | 'pins'
        | 'around'
        | 'escape';
    };

/** Binds a letter to the next match, and Shift plus the letter to the previous one. */
function finding(letter: string, what: FindWhat): KeyLine<ConsoleCommand>['keys'] {
  return {
    [letter]: { do: 'find', what, direction: 'next' },
    [`Shift ${letter}`]: { do: 'find', what, direction: 'previous' },
  };
}

export const CONSOLE_KEYS: readonly KeyLine<ConsoleCommand>[] = [
  { meaning: 'Search', keys: { '/': { do: 'search' } } },
  { meaning: 'Next hit, previous hit', keys: finding('n', 'hit') },
  { meaning: 'Next error, previous error', keys: finding('e', 'error') },
  { meaning: 'Next warning, previous warning', keys: finding('w', 'warn') },
  { meaning: 'Next event of the cluster, previous event', keys: finding('x', 'event') },
  {
    meaning: 'Open a line, or unfold what is folded into it',
    keys: { Enter: { do: 'toggle' } },
    also: { 'Shift Enter': { do: 'toggle' } },
  },
  { meaning: 'Open a line, also of a stack trace', keys: { o: { do: 'details' } } },
  { meaning: 'Pause or resume', keys: { Space: { do: 'pause' } } },
  { meaning: 'Follow or stop following', keys: { f: { do: 'follow' } } },
  {
    meaning: 'Go to the newest line and follow',
    keys: { End: { do: 'end' } },
    also: { 'Ctrl End': { do: 'end' }, 'Ctrl Shift End': { do: 'end' } },
  },
  {
    meaning: 'Go to the beginning of the logs',
    keys: { Home: { do: 'start' } },
    also: { 'Ctrl Home': { do: 'start' }, 'Ctrl Shift Home': { do: 'start' } },
  },
  {
    meaning: 'Move from line to line',
    keys: {
      ArrowUp: { do: 'move', rows: -1, selects: false },
      ArrowDown: { do: 'move', rows: 1, selects: false },
    },
    also: {
      PageUp: { do: 'page', direction: -1 },
      PageDown: { do: 'page', direction: 1 },
      'Shift PageUp': { do: 'page', direction: -1 },
      'Shift PageDown': { do: 'page', direction: 1 },
    },
  },
  {
    meaning: 'Select lines',
    keys: {
      'Shift ArrowUp': { do: 'move', rows: -1, selects: true },
      'Shift ArrowDown': { do: 'move', rows: 1, selects: true },
    },
    also: { Escape: { do: 'escape' } },
  },
  { meaning: 'Select all lines of the view', keys: { 'Ctrl a': { do: 'select-all' } } },
  { meaning: 'Wrap or cut long lines', keys: { z: { do: 'wrap' } } },
  { meaning: 'Show lines as written, or taken apart', keys: { r: { do: 'raw' } } },
  { meaning: 'Fold stack traces, or show every line', keys: { g: { do: 'group' } } },
  { meaning: 'Fold equal neighbors, or show every line', keys: { d: { do: 'equal' } } },
  { meaning: 'Show all lines around this one, and go back', keys: { a: { do: 'around' } } },
  {
    meaning: 'Copy the selected lines, or this one',
    keys: { c: { do: 'copy' } },
    also: { 'Ctrl c': { do: 'copy' } },
  },
  {
    meaning: 'Copy them with their times and pods',
    keys: { 'Shift c': { do: 'copy-named' } },
  },
  { meaning: 'Copy a link to this line', keys: { l: { do: 'link' } } },
  { meaning: 'Pin this line, or unpin it', keys: { p: { do: 'pin' } } },
  { meaning: 'Show the pinned lines', keys: { 'Shift p': { do: 'pins' } } },
];

/** In the search field. */
export type SearchCommand = 'next' | 'previous' | 'leave';

export const SEARCH_KEYS: readonly KeyLine<SearchCommand>[] = [
  {
    meaning: 'In the search field: next hit, previous hit',
    keys: { Enter: 'next', 'Shift Enter': 'previous' },
    also: { 'Ctrl Enter': 'next', 'Ctrl Shift Enter': 'previous' },
  },
  {
    meaning: 'In the search field: back to the logs',
    keys: { Escape: 'leave' },
    also: { 'Shift Escape': 'leave' },
  },
];

/** One part of the help. */
export interface KeyHelp {
  readonly title: string;
  readonly lines: readonly { readonly meaning: string; readonly chords: readonly Chord[] }[];
}

/** All keys, for the help and the documentation. */
export const KEY_HELP: readonly KeyHelp[] = [
  { title: 'Everywhere', lines: PAGE_KEYS.map(helpOf) },
  { title: 'Workloads', lines: LIST_KEYS.map(helpOf) },
  { title: 'Logs', lines: [...CONSOLE_KEYS.map(helpOf), ...SEARCH_KEYS.map(helpOf)] },
];

function helpOf({ meaning, keys }: KeyLine<unknown>): KeyHelp['lines'][number] {
  return { meaning, chords: Object.keys(keys) };
}

/** Returns the key of a console command, for tooltips. */
export function consoleChord(what: ConsoleCommand['do']): Chord {
  const chord = CONSOLE_KEYS.flatMap(({ keys }) => Object.entries(keys)).find(
    ([, command]) => command.do === what,
  )?.[0];
  if (chord === undefined) throw new Error(`no key does ${what}`);
  return chord;
}
