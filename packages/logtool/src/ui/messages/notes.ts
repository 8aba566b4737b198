import { countText } from './count.ts';

/** What no flag of the command line says. */
export type CommandLack = keyof typeof LACKS;

/** The result of an action, by code with data. */
export type Note =
  | { readonly code: 'copied'; readonly lines: number }
  | { readonly code: 'link-copied' | 'pins-link-copied' }
  /** `without`: what of the view the command does not say. */
  | { readonly code: 'command-copied'; readonly without: readonly CommandLack[] }
  /** Of the rows that the page holds. */
  | { readonly code: 'selected'; readonly rows: number; readonly ofRows: number }
  | { readonly code: 'pinned' | 'unpinned'; readonly pins: number }
  /** The address would be too long. */
  | { readonly code: 'too-many-pins'; readonly maxChars: number }
  | { readonly code: 'nothing-selected' }
  | { readonly code: 'clipboard-blocked' }
  | { readonly code: 'downloaded'; readonly lines: number }
  | { readonly code: 'download-started' }
  | { readonly code: 'download-failed'; readonly cause: string }
  | { readonly code: 'still-loading' }
  | { readonly code: 'no-lines' }
  /** Which events happened is not known yet, or not wanted. */
  | { readonly code: 'events-reading' | 'events-off' }
  /** The search cannot be read. */
  | { readonly code: 'search-fault' }
  /** `where`: in which direction there is none; undefined: nowhere. */
  | {
      readonly code: 'not-found';
      readonly what: NotedKind;
      readonly where: 'down' | 'up' | undefined;
    }
  /** As `not-found`, but not all could be read there. */
  | {
      readonly code: 'not-all-read';
      readonly what: NotedKind;
      readonly where: 'down' | 'up' | undefined;
    }
  /** A message of an error. */
  | { readonly code: 'error'; readonly what: string };

type NotedKind = keyof typeof NAMES;

const LACKS = {
  'lines-without-level': 'lines without a level',
  'excluded-levels': 'excluded levels',
  'excluded-containers': 'excluded containers',
  'excluded-nodes': 'excluded nodes and zones',
  runs: 'runs',
  fields: 'field filters',
  search: 'the search',
} as const;

const NAMES = { hit: 'hit', error: 'error', warn: 'warning', event: 'event' } as const;

/** The note as the status line shows it. */
export function noteText(note: Note): string {
  switch (note.code) {
    case 'copied':
      return `Copied ${countText(note.lines, 'line')}`;
    case 'link-copied':
      return 'Copied a link to this line';
    case 'pins-link-copied':
      return 'Copied a link to the pinned lines';
    case 'command-copied': {
      const without = note.without.map((lack) => LACKS[lack]).join(', ');
      return without === '' ? 'Copied a command' : `Copied a command, without ${without}`;
    }
    case 'selected':
      return note.rows < note.ofRows
        ? `Selected the newest ${countText(note.rows, 'row')} of ${note.ofRows.toLocaleString('en')}`
        : `Selected ${countText(note.rows, 'row')}`;
    case 'pinned':
      return `Pinned the line; ${countText(note.pins, 'pin')} in the address`;
    case 'unpinned':
      return `Unpinned the line; ${countText(note.pins, 'pin')} in the address`;
    case 'too-many-pins':
      return `Not pinned: the address has room for ${note.maxChars.toLocaleString('en')} characters; unpin a line or shorten a note`;
    case 'nothing-selected':
      return 'Select a line first';
    case 'clipboard-blocked':
      return 'The browser blocked access to the clipboard';
    case 'downloaded':
      return `Downloaded ${countText(note.lines, 'line')}`;
    case 'download-started':
      return 'Download started; the browser shows its progress';
    case 'download-failed':
      return `The download failed: ${note.cause}`;
    case 'still-loading':
      return 'Lines are still loading';
    case 'no-lines':
      return 'There are no lines yet';
    case 'events-reading':
      return 'Events are still being read';
    case 'events-off':
      return 'Events are not shown';
    case 'search-fault':
      return 'The search has an error: nothing was searched';
    case 'not-found':
      return `No ${NAMES[note.what]}${note.where === undefined ? '' : ` further ${note.where}`}`;
    case 'not-all-read':
      return `No ${NAMES[note.what]} found${note.where === undefined ? '' : ` further ${note.where}`} so far; part of the log is unread`;
    case 'error':
      return note.what;
  }
}
