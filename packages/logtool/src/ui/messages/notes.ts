import { countText } from './count.ts';

/** The result of an action, by code with data. */
export type Note =
  | { readonly code: 'copied'; readonly lines: number }
  | { readonly code: 'link-copied' }
  | { readonly code: 'nothing-selected' }
  | { readonly code: 'clipboard-blocked' }
  | { readonly code: 'downloaded'; readonly lines: number }
  | { readonly code: 'download-started' }
  | { readonly code: 'download-failed'; readonly cause: string }
  | { readonly code: 'line-gone' }
  | { readonly code: 'still-loading' }
  | { readonly code: 'no-lines' }
  /** `where`: in which direction there is none; undefined: nowhere. */
  | {
      readonly code: 'not-found';
      readonly what: 'hit' | 'error' | 'warn';
      readonly where: 'down' | 'up' | undefined;
    }
  /** As `not-found`, but not all could be read there. */
  | {
      readonly code: 'not-all-read';
      readonly what: 'hit' | 'error' | 'warn';
      readonly where: 'down' | 'up' | undefined;
    }
  /** A message of an error. */
  | { readonly code: 'error'; readonly what: string };

const NAMES = { hit: 'hit', error: 'error', warn: 'warning' } as const;

/** The note as the status line shows it. */
export function noteText(note: Note): string {
  switch (note.code) {
    case 'copied':
      return `Copied ${countText(note.lines, 'line')}`;
    case 'link-copied':
      return 'Copied a link to this line';
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
    case 'line-gone':
      return 'The line that this link points to is no longer in the logs';
    case 'still-loading':
      return 'Lines are still loading';
    case 'no-lines':
      return 'There are no lines yet';
    case 'not-found':
      return `No ${NAMES[note.what]}${note.where === undefined ? '' : ` further ${note.where}`}`;
    case 'not-all-read':
      return `No ${NAMES[note.what]} found${note.where === undefined ? '' : ` further ${note.where}`} so far; not all was read`;
    case 'error':
      return note.what;
  }
}
