import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Interval, nextTime } from '../../../domain/coverage/interval.ts';
import { intervalOf } from '../coverage/missing.ts';
import type { Sought } from '../coverage/seek-line.ts';
import type { EntryId, FromWorker, ToWorker } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { Interest } from '../store/view.ts';
import type { Searcher } from './searcher.ts';

type Question = Extract<ToWorker, { readonly type: 'find' }>;
type Answer = Omit<Extract<FromWorker, { readonly type: 'found' }>, 'type' | 'request'>;

const INTERESTS = { hit: 'hits', error: 'errors', warn: 'warns' } as const satisfies Record<string, Interest>;
/** Pages that one question loads. */
const MAX_PAGES = 200;

export interface Loading {
  /** No other question came. */
  readonly isWanted: () => boolean;
  /** One more page; false: there is none. Undefined: it failed. */
  readonly loadOlder: () => Promise<boolean | undefined>;
  readonly loadNewer: () => Promise<boolean | undefined>;
  /** The first or last line of that kind in a place that is not held. */
  readonly seek: (interval: Interval, order: 'oldest' | 'newest', what: Question['what']) => Promise<Sought>;
  /** Loads the lines around a time. */
  readonly loadAt: (at: Timestamp) => Promise<unknown>;
}

/**
 * Finds the next hit, error or warning: in the loaded lines, in what lies between them and is not loaded, then in page
 * after page that it loads. Nothing that was not read is leapt over.
 */
export async function findFrom(
  log: HeldLog,
  searcher: Searcher,
  question: Question,
  loading: Loading,
): Promise<Answer> {
  if (question.what === 'hit' && !searcher.isActive) return NOTHING;
  const passed = new Set<EntryId>();
  for (let page = 0; page <= MAX_PAGES; page++) {
    await searcher.settled();
    const step = await inHeld(log, searcher, question, loading, passed);
    if (typeof step === 'object') return step;
    if (step === 'stop' || !loading.isWanted()) break;
    const hasMore = step === 'passed' || (await loadMore(question.direction, loading));
    if (hasMore !== true)
      return { ...NOTHING, searchedBackTo: oldestSeconds(log), isExact: hasMore === false };
  }
  return { ...NOTHING, searchedBackTo: oldestSeconds(log) };
}

function loadMore(direction: Question['direction'], loading: Loading): Promise<boolean | undefined> {
  return direction === 'previous' ? loading.loadOlder() : loading.loadNewer();
}

/**
 * The line in what is held or lies between it. `not-held`: neither there; `passed`: a place that is not held has none;
 * `stop`: such a place could not be read.
 */
async function inHeld(
  log: HeldLog,
  searcher: Searcher,
  question: Question,
  loading: Loading,
  passed: Set<EntryId>,
): Promise<Answer | 'not-held' | 'passed' | 'stop'> {
  const { direction, what, from } = question;
  const interest = INTERESTS[what];
  const found = nearest(log, from, direction, interest);
  const gap = nearestGap(log, from, direction, passed);
  const range = gap === undefined ? undefined : log.store.missing.get(gap);
  if (gap === undefined || range === undefined)
    return found === undefined ? 'not-held' : answerOf(log, found, interest);
  if (found !== undefined && isBeyond(log.store.compare(gap, found), direction))
    return answerOf(log, found, interest);
  if (!loading.isWanted()) return 'stop';
  const sought = await loading.seek(intervalOf(range), direction === 'next' ? 'oldest' : 'newest', what);
  if (!loading.isWanted() || sought.kind === 'unread') return 'stop';
  if (sought.kind === 'found') return foundAt(log, searcher, sought.at, question, loading);
  passed.add(gap);
  return 'passed';
}

const NOTHING: Answer = { entry: undefined, searchedBackTo: undefined, isExact: false };

/** The line of that kind at a time that was not loaded. */
async function foundAt(
  log: HeldLog,
  searcher: Searcher,
  at: Timestamp,
  { direction, what }: Question,
  loading: Loading,
): Promise<Answer> {
  await loading.loadAt(at);
  await searcher.settled();
  const { view, store } = log;
  view.settle();
  view.refresh();
  const interest = INTERESTS[what];
  const index =
    direction === 'next'
      ? view.next(interest, view.indexAt(store.positionOf(at)), 1)
      : view.next(interest, view.indexAt(store.positionOf(nextTime(at))) - 1, -1);
  const entry = index === undefined ? undefined : view.at(index);
  const isLoaded = entry !== undefined && compareTimestamps(store.time(entry), at) === 0;
  return isLoaded ? answerOf(log, entry, interest) : NOTHING;
}

function nearest(
  { view, store }: HeldLog,
  from: EntryId | undefined,
  direction: 'next' | 'previous',
  interest: Interest,
): EntryId | undefined {
  view.settle();
  view.refresh();
  const start = from !== undefined && store.isHeld(from) ? view.indexOf(from) : undefined;
  if (direction === 'previous') {
    const index = view.next(interest, start === undefined ? view.total - 1 : start - 1, -1);
    return index === undefined ? undefined : view.at(index);
  }
  // A hidden entry leads to the next visible one.
  const isShown = start !== undefined && view.at(start) === from;
  const index = view.next(interest, start === undefined ? 0 : isShown ? start + 1 : start, 1);
  return index === undefined ? undefined : view.at(index);
}

/** The nearest place in that direction whose lines are not held, and where it is not known that none is sought. */
function nearestGap(
  { store }: HeldLog,
  from: EntryId | undefined,
  direction: 'next' | 'previous',
  passed: ReadonlySet<EntryId>,
): EntryId | undefined {
  const isHeld = from !== undefined && store.isHeld(from);
  let nearest: EntryId | undefined;
  for (const entry of store.missing.keys()) {
    if (passed.has(entry)) continue;
    if (isHeld && !isBeyond(store.compare(entry, from), direction)) continue;
    if (nearest === undefined || isBeyond(store.compare(nearest, entry), direction)) nearest = entry;
  }
  return nearest;
}

function isBeyond(order: number, direction: 'next' | 'previous'): boolean {
  return direction === 'next' ? order > 0 : order < 0;
}

function answerOf(log: HeldLog, entry: EntryId, interest: Interest): Answer {
  const { view, store } = log;
  return {
    entry,
    // Its place among the loaded ones says nothing if some between them are missing.
    ...(store.missing.size === 0 ? { ordinal: view.countBefore(interest, view.indexOf(entry)) + 1 } : {}),
    searchedBackTo: oldestSeconds(log),
    isExact: true,
  };
}

function oldestSeconds({ store }: HeldLog): number | undefined {
  const first = store.edgeLine('first');
  return first === undefined ? undefined : store.table.seconds(first);
}
