import type { UnreadRange } from '../../worker/protocol/protocol.ts';

/** A part of the view that no command-line flag expresses. */
export type CommandLack = 'levels' | 'excluded-containers' | 'excluded-nodes' | 'runs' | 'fields' | 'search';

/** What an action or a search looks for. */
export type NotedKind = 'hit' | 'error' | 'warn' | 'event' | 'line';

/** The result of an action: a code with data. */
export type Note =
  | { readonly code: 'copied'; readonly lines: number }
  | { readonly code: 'link-copied' | 'pins-link-copied' }
  /** `without`: parts of the view that the command does not express. */
  | { readonly code: 'command-copied'; readonly without: readonly CommandLack[] }
  /** Out of the rows that the page holds. */
  | { readonly code: 'selected'; readonly rows: number; readonly ofRows: number }
  | { readonly code: 'pinned' | 'unpinned'; readonly pins: number }
  /** The address would be too long. */
  | { readonly code: 'too-many-pins'; readonly maxChars: number }
  | { readonly code: 'nothing-selected' }
  | { readonly code: 'clipboard-blocked' }
  | { readonly code: 'downloaded'; readonly lines: number }
  | { readonly code: 'download-awaited' | 'download-started' }
  | { readonly code: 'download-failed'; readonly cause: string }
  | { readonly code: 'still-loading' }
  | { readonly code: 'no-lines' }
  /** The events are not known yet, or turned off. */
  | { readonly code: 'events-reading' | 'events-off' }
  /** The search is invalid. */
  | { readonly code: 'search-fault' }
  /** `where`: the direction without a match; undefined: no match anywhere. */
  | {
      readonly code: 'not-found';
      readonly what: NotedKind;
      readonly where: 'down' | 'up' | undefined;
    }
  /** Like `not-found`, but lines are known to be missing there, and nobody can read them any more. */
  | {
      readonly code: 'none-left';
      readonly what: NotedKind;
      readonly where: 'down' | 'up' | undefined;
    }
  /** Like `not-found`, but some of that range could not be read. */
  | {
      readonly code: 'not-all-read';
      readonly what: NotedKind;
      readonly where: 'down' | 'up' | undefined;
    }
  /** Did not move, because an unread range may hold a nearer line. */
  | { readonly code: 'unread'; readonly what: NotedKind; readonly unread: UnreadRange }
  /** The user stopped the search: after this much of the log, or this many loaded lines. */
  | {
      readonly code: 'find-stopped';
      readonly what: NotedKind;
      readonly bytes: number;
      readonly lines: number;
      readonly unread: UnreadRange | undefined;
    }
  /** The user stopped on the way there. `oldestSeconds`: the time of the oldest loaded line. */
  | {
      readonly code: 'jump-stopped';
      readonly to: 'start' | 'end' | 'time';
      readonly oldestSeconds: number | undefined;
    }
  /** Moved to the nearest line that was read; these containers may have a nearer one. */
  | {
      readonly code: 'found-without';
      readonly what: NotedKind;
      readonly containers: readonly string[];
      /** Number of sources that failed as a whole. */
      readonly sources: number;
    }
  /** The message of an error. */
  | { readonly code: 'error'; readonly what: string };
