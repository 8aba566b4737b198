import type { Note } from '../../messages/notes.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { BufferStatus, EntryId, FromWorker, Row } from '../../worker/session/protocol.ts';
import type { LogScroller } from './log-scroller.ts';

export type Wanted = 'hit' | 'error' | 'warn' | 'event';
export type Direction = 'next' | 'previous';

type Found = Extract<FromWorker, { readonly type: 'found' }>;

interface From {
  readonly active: EntryId | undefined;
  /** The most recently found hit. */
  readonly found: EntryId | undefined;
  readonly status: Pick<BufferStatus, 'lines' | 'loading' | 'facts' | 'search'>;
}

type Result =
  /** `note`: which containers may have a nearer one. */
  | { readonly entry: EntryId; readonly ordinal: number | undefined; readonly note: Note | undefined }
  /** `searchedBackTo`: seconds since the epoch; undefined if older lines were not searched. */
  | {
      readonly entry: undefined;
      readonly note: Note | undefined;
      readonly searchedBackTo: number | undefined;
    };

/**
 * Finds the next or previous one from the active row, or that row itself if it was not found before. Without an active
 * row, the search starts with the rows in view and ends with those above.
 */
export async function findNext(
  worker: LogWorker,
  { rows, rowsInView }: LogScroller,
  { active, found, status }: From,
  what: Wanted,
  direction: Direction,
  goOn = false,
): Promise<Result> {
  const note = whyNothing(status, what);
  if (note !== undefined) return { entry: undefined, note, searchedBackTo: undefined };
  const isNew = what === 'hit' && active !== found && rows.some(({ entry }) => entry === active);
  const start = (way: Direction) => {
    if (active !== undefined && !isNew) return active;
    return beside(rows, active ?? rowsInView.at(way === 'next' ? 0 : -1)?.entry, way);
  };
  const ask = (way: Direction) =>
    what === 'event'
      ? worker.ask({ type: 'find-fact', from: start(way), direction: way })
      : worker.ask({ type: 'find', from: start(way), direction: way, what, ...(goOn ? { goOn } : {}) });
  let answer = await ask(direction);
  const isOver = answer.unread !== undefined || answer.isStopped === true || answer.isReplaced === true;
  if (answer.entry === undefined && active === undefined && direction === 'next' && !isOver)
    answer = await ask('previous');
  const { entry, ordinal, searchedBackTo, isExact, lacking } = answer;
  if (entry !== undefined) {
    const note = lacking && ({ code: 'found-without', what, containers: lacking } as const);
    return { entry, ordinal, note };
  }
  const stay = whyStay(answer, what);
  if (stay !== undefined) return { entry, searchedBackTo: undefined, ...stay };
  const isDown = active !== undefined && direction === 'next';
  const where = active === undefined ? undefined : isDown ? 'down' : 'up';
  return {
    entry,
    note: { code: isExact ? 'not-found' : 'not-all-read', what, where },
    searchedBackTo: isDown ? undefined : searchedBackTo,
  };
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

/** The row from which a search in that direction also finds this row; undefined: this row is at the end. */
function beside(rows: readonly Row[], row: EntryId | undefined, direction: Direction): EntryId | undefined {
  const at = rows.findIndex(({ entry }) => entry === row);
  return at === -1 ? undefined : rows[direction === 'next' ? at - 1 : at + 1]?.entry;
}
