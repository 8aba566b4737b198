import type { Note } from '../../messages/notes.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { BufferStatus, EntryId, Row } from '../../worker/session/protocol.ts';
import type { LogScroller } from './log-scroller.ts';

export type Wanted = 'hit' | 'error' | 'warn' | 'event';
export type Direction = 'next' | 'previous';

interface From {
  readonly active: EntryId | undefined;
  /** The hit that was found last. */
  readonly found: EntryId | undefined;
  readonly status: Pick<BufferStatus, 'lines' | 'loading' | 'facts' | 'search'>;
}

type Result =
  | { readonly entry: EntryId; readonly ordinal: number | undefined }
  /** `searchedBackTo`: seconds since the epoch; undefined if older lines were not searched. */
  | { readonly entry: undefined; readonly note: Note; readonly searchedBackTo: number | undefined };

/**
 * The one after or before the active row, or that row itself if it was not found before; without an active row that
 * in view counts first, and what lies above it last.
 */
export async function findNext(
  worker: LogWorker,
  { rows, rowsInView }: LogScroller,
  { active, found, status }: From,
  what: Wanted,
  direction: Direction,
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
      : worker.ask({ type: 'find', from: start(way), direction: way, what });
  let answer = await ask(direction);
  if (answer.entry === undefined && active === undefined && direction === 'next')
    answer = await ask('previous');
  const { entry, ordinal, searchedBackTo, isExact } = answer;
  if (entry !== undefined) return { entry, ordinal };
  const isDown = active !== undefined && direction === 'next';
  const where = active === undefined ? undefined : isDown ? 'down' : 'up';
  return {
    entry,
    note: { code: isExact ? 'not-found' : 'not-all-read', what, where },
    searchedBackTo: isDown ? undefined : searchedBackTo,
  };
}

/** Why there is nothing to go to; undefined: it is looked for. */
function whyNothing({ lines, loading, facts, search }: From['status'], what: Wanted): Note | undefined {
  if (what === 'hit' && search.error !== undefined) return { code: 'search-fault' };
  if (what === 'event') {
    if (facts.state === 'off') return { code: 'events-off' };
    return facts.state === 'reading' ? { code: 'events-reading' } : undefined;
  }
  if (lines > 0) return undefined;
  return { code: loading === 'opening' ? 'still-loading' : 'no-lines' };
}

/** The row from which looking in that direction finds this one too; undefined: there is none, it is at the end. */
function beside(rows: readonly Row[], row: EntryId | undefined, direction: Direction): EntryId | undefined {
  const at = rows.findIndex(({ entry }) => entry === row);
  return at === -1 ? undefined : rows[direction === 'next' ? at - 1 : at + 1]?.entry;
}
