import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { positionOf } from '../../../domain/facts/fact.ts';
import type { EntryId, FactsStatus } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { FactEntry } from '../store/line-store.ts';
import type { Found } from './find.ts';

type Direction = 'next' | 'previous';

/** What is known about facts, beyond those that have a row. */
export interface FactsOfFind {
  readonly status: Pick<FactsStatus, 'state' | 'notices' | 'eventsSinceMs'>;
  unplaced(from: Timestamp | undefined, direction: Direction): FactEntry | undefined;
}

interface Loading {
  /** Whether no newer question has arrived. */
  readonly isWanted: () => boolean;
  /** Loads the lines around a time. */
  readonly loadAt: (at: Timestamp) => Promise<unknown>;
}

/** Finds the next fact, among the rows or where no lines are loaded, which it then loads. It skips nothing unread. */
export async function findFact(
  log: HeldLog,
  facts: FactsOfFind,
  { from, direction }: { readonly from: EntryId | undefined; readonly direction: Direction },
  { isWanted, loadAt }: Loading,
): Promise<Found> {
  const { store, factPositions } = log;
  const found = nearest(log, from, direction);
  const far = facts.unplaced(from === undefined ? undefined : timeOf(log, from), direction);
  if (far === undefined || (found !== undefined && isNearer(found, far, log, direction)))
    return answerOf(found, facts);
  await loadAt(positionOf(far.fact));
  if (!isWanted()) return answerOf(undefined, facts, false);
  log.view.refresh();
  const entry = factPositions.entryOf(far.fact.id);
  return answerOf(entry !== undefined && store.isHeld(entry) ? entry : undefined, facts, false);
}

function nearest(
  { view, store }: HeldLog,
  from: EntryId | undefined,
  direction: Direction,
): EntryId | undefined {
  view.refresh();
  const start = from !== undefined && store.isHeld(from) ? view.indexOf(from) : undefined;
  const isShown = start !== undefined && view.at(start) === from;
  const index =
    direction === 'previous'
      ? view.next('facts', (start ?? view.total) - 1, -1)
      : view.next('facts', start === undefined ? 0 : isShown ? start + 1 : start, 1);
  return index === undefined ? undefined : view.at(index);
}

/** When an entry happened; a fact has its own time, regardless of its neighbors. */
function timeOf({ store }: HeldLog, entry: EntryId): Timestamp | undefined {
  const known = store.facts.get(entry);
  return known === undefined ? store.table.timeOf(entry) : positionOf(known.fact);
}

function isNearer(found: EntryId, far: FactEntry, log: HeldLog, direction: Direction): boolean {
  const at = timeOf(log, found);
  if (at === undefined) return false;
  const order = compareTimestamps(at, positionOf(far.fact));
  return direction === 'next' ? order <= 0 : order >= 0;
}

/** `isExact`: everything was read, so finding none means that none exists. */
function answerOf(entry: EntryId | undefined, { status }: FactsOfFind, isKnown = true): Found {
  const isExact = entry !== undefined || (isKnown && status.state === 'read' && status.notices.length === 0);
  const { eventsSinceMs } = status;
  const searchedBackTo = eventsSinceMs === undefined ? undefined : Math.floor(eventsSinceMs / 1000);
  return { entry, searchedBackTo, isExact };
}
