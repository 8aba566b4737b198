import type { BufferStatus, EntryId, FromWorker, Row } from '../../worker/protocol/protocol.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { Note } from '../state/note.ts';
import type { LogScroller } from './log-scroller.ts';

export type Wanted = 'hit' | 'error' | 'warn' | 'event';
export type Direction = 'next' | 'previous';

type Found = Extract<FromWorker, { readonly type: 'found' }>;

interface From {
  /** The row that was chosen last, unless the reader has left it. */
  readonly active: EntryId | undefined;
  /** The most recently found hit. */
  readonly found: EntryId | undefined;
  /** Whether the view stays at the newest line. */
  readonly isFollowing: boolean;
  readonly status: Pick<BufferStatus, 'lines' | 'loading' | 'facts' | 'search' | 'atEnd'>;
}

type Result =
  /** `note`: which containers may have a nearer one. */
  | { readonly entry: EntryId; readonly note: Note | undefined }
  /** `searchedBackTo`: seconds since the epoch; undefined if older lines were not searched. */
  | {
      readonly entry: undefined;
      readonly note: Note | undefined;
      readonly searchedBackTo: number | undefined;
    };

/**
 * Finds the next or previous one from the active row, or that row itself if it was not found before. Without an active
 * row, the search starts with the rows in view; at the end of the view, where nothing is below, it goes on above.
 */
export async function findNext(
  worker: LogWorker,
  scroller: LogScroller,
  from: From,
  what: Wanted,
  direction: Direction,
  goOn = false,
): Promise<Result> {
  const { active, status } = from;
  const note = whyNothing(status, what);
  if (note !== undefined) return { entry: undefined, note, searchedBackTo: undefined };
  const ask = (way: Direction) => {
    const start = startOf(scroller, from, what, way);
    return what === 'event'
      ? worker.ask({ type: 'find-fact', from: start, direction: way })
      : worker.ask({ type: 'find', from: start, direction: way, what, ...(goOn ? { goOn } : {}) });
  };
  const goesOnAbove = active === undefined && direction === 'next' && isAtEnd(scroller, from);
  const first = await ask(direction);
  const answer = first.entry === undefined && goesOnAbove && !isOver(first) ? await ask('previous') : first;
  const { entry, searchedBackTo, lacking, lackingSources = 0 } = answer;
  if (entry !== undefined) {
    const note =
      lacking && ({ code: 'found-without', what, containers: lacking, sources: lackingSources } as const);
    return { entry, note };
  }
  const stay = whyStay(answer, what);
  if (stay !== undefined) return { entry, searchedBackTo: undefined, ...stay };
  const isAll = answer !== first || (active === undefined && from.isFollowing && status.atEnd);
  const where = isAll ? undefined : WHERE[direction];
  return {
    entry,
    note: noteOfNone([first, answer], what, where),
    searchedBackTo: where === 'down' ? undefined : searchedBackTo,
  };
}

/** What the answers say together: there is none, none that can be read, or none so far. */
export function noteOfNone(
  answers: readonly Pick<Found, 'isExact' | 'hasGaps'>[],
  what: Wanted | 'line',
  where: 'down' | 'up' | undefined,
): Note {
  if (!answers.every(({ isExact }) => isExact)) return { code: 'not-all-read', what, where };
  return { code: answers.some(({ hasGaps }) => hasGaps === true) ? 'none-left' : 'not-found', what, where };
}

const WHERE = { next: 'down', previous: 'up' } as const;

/** Whether an answer says why the search ended, so that asking on makes no sense. */
function isOver({ unread, isStopped, isReplaced }: Found): boolean {
  return unread !== undefined || isStopped === true || isReplaced === true;
}

/** The row after (or before) which a search looks; undefined: it looks at the whole view. */
function startOf(
  { rows, rowsInView, total }: LogScroller,
  { active, found, isFollowing }: From,
  what: Wanted,
  way: Direction,
): EntryId | undefined {
  const isNew = what === 'hit' && active !== found && rows.some(({ entry }) => entry === active);
  if (active !== undefined && !isNew) return active;
  if (isFollowing && way === 'previous') return undefined;
  return beside(rows, total, active ?? rowsInView.at(way === 'next' ? 0 : -1)?.entry, way);
}

/** Whether the last row is in view, so that nothing lies below it. */
function isAtEnd({ rowsInView, total }: LogScroller, { isFollowing }: From): boolean {
  const last = rowsInView.at(-1);
  return isFollowing || last === undefined || last.index === total - 1;
}

/**
 * Why the search moved nowhere although a match may exist; undefined: everything available was read. `note` undefined:
 * show none.
 */
export function whyStay(
  { unread, isStopped, isReplaced, bytes = 0, lines = 0 }: Found,
  what: Wanted | 'line',
): { readonly note: Note | undefined } | undefined {
  if (isReplaced === true) return { note: undefined };
  if (isStopped === true) return { note: { code: 'find-stopped', what, bytes, lines, unread } };
  return unread && { note: { code: 'unread', what, unread } };
}

/** Why the search cannot start; undefined: it can. */
function whyNothing({ lines, loading, facts, search }: From['status'], what: Wanted): Note | undefined {
  if (what === 'hit' && search.error !== undefined) return { code: 'search-fault' };
  if (what === 'event') {
    if (facts.state === 'off') return { code: 'events-off' };
    return facts.state === 'reading' ? { code: 'events-reading' } : undefined;
  }
  if (lines > 0) return undefined;
  return { code: loading === 'opening' ? 'still-loading' : 'no-lines' };
}

/**
 * The row from which a search in that direction also finds this row; undefined: this row is at the end of the view. If
 * the row beside it is not loaded, the search starts behind this row rather than at the end of the view.
 */
function beside(
  rows: readonly Row[],
  total: number,
  entry: EntryId | undefined,
  direction: Direction,
): EntryId | undefined {
  const at = rows.findIndex((row) => row.entry === entry);
  const row = rows[at];
  if (row === undefined) return undefined;
  const before = rows[direction === 'next' ? at - 1 : at + 1];
  const isFirst = row.index === (direction === 'next' ? 0 : total - 1);
  return before?.entry ?? (isFirst ? undefined : row.entry);
}
