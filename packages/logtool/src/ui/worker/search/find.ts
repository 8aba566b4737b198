import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Interval, nextTime } from '../../../domain/coverage/interval.ts';
import type { SeekOrder, Sought, Unread } from '../coverage/seek-line.ts';
import { timeOfBound } from '../known/missing.ts';
import type { EntryId, ToWorker } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { Interest } from '../store/view.ts';
import type { Searcher } from './searcher.ts';

type Question = Extract<ToWorker, { readonly type: 'find' }>;

/** The found entry; `unread`: where it may be, and what was not read there. */
export interface Found {
  readonly entry: EntryId | undefined;
  readonly searchedBackTo: number | undefined;
  readonly isExact: boolean;
  readonly unread?: Unread;
}

const INTERESTS = { hit: 'hits', error: 'errors', warn: 'warns' } as const satisfies Record<string, Interest>;
type LineInterest = (typeof INTERESTS)[keyof typeof INTERESTS];
/** Maximum pages that one question loads. */
const MAX_PAGES = 200;

export interface Loading {
  /** Whether no newer question has arrived. */
  readonly isWanted: () => boolean;
  /** The times of a range that is not held; `held`: everything on that side is held. Undefined: not known yet. */
  readonly intervalOf: (gap: EntryId | 'older' | 'newer') => Interval | 'held' | undefined;
  /** Loads a page at the near end of such a range; false: nothing more exists. Undefined: the load failed. */
  readonly loadFrom: (
    gap: EntryId | 'older' | 'newer',
    direction: Question['direction'],
  ) => Promise<boolean | undefined>;
  /** Finds the first or last line of that kind in a range that is not held. */
  readonly seek: (interval: Interval, order: SeekOrder, what: Question['what']) => Promise<Sought>;
  /** Loads the lines around a time. */
  readonly loadAt: (at: Timestamp) => Promise<unknown>;
}

/**
 * Finds the next hit, error or warning: in the loaded lines, and in the ranges between and beyond them that are not
 * loaded, which it reads first. It skips nothing unread.
 */
export async function findFrom(
  log: HeldLog,
  searcher: Searcher,
  question: Question,
  loading: Loading,
): Promise<Found> {
  if (question.what === 'hit' && !searcher.isActive) return NOTHING;
  const passed = new Set<Gap>();
  for (let page = 0; page <= MAX_PAGES; page++) {
    await searcher.settled();
    const step = await oneStep(log, searcher, question, loading, passed);
    if (typeof step === 'object') return step;
    if (!loading.isWanted()) return NOTHING;
    if (step === 'none') return { ...NOTHING, searchedBackTo: oldestSeconds(log), isExact: true };
    if (step === 'failed') break;
    step satisfies 'on';
  }
  return { ...NOTHING, searchedBackTo: oldestSeconds(log) };
}

/** A range that is not held: the entry that represents it, or beyond the first or last entry. */
type Gap = EntryId | 'older' | 'newer';

/**
 * Finds the line in the held lines or in the nearest range that is not held. `on`: that range has none, or a part of it
 * was loaded; `none`: no such range exists; `failed`: the range could not be loaded.
 */
async function oneStep(
  log: HeldLog,
  searcher: Searcher,
  question: Question,
  loading: Loading,
  passed: Set<Gap>,
): Promise<Found | 'on' | 'none' | 'failed'> {
  const { direction, what, from } = question;
  const interest = INTERESTS[what];
  if (isOneWithheld(log, question, interest)) log.showWithheld();
  const found = nearest(log, from, direction, interest);
  const gap = nearestGap(log, from, direction, passed);
  const isNearer = found !== undefined && (gap === undefined || isBeyond(sideOf(log, gap, found), direction));
  if (isNearer) return answerOf(log, found);
  const target = gap ?? (direction === 'next' ? 'newer' : 'older');
  const interval = passed.has(target) ? 'held' : loading.intervalOf(target);
  if (interval === 'held') return 'none';
  if (!loading.isWanted()) return NOTHING;
  const sought = interval && (await loading.seek(interval, direction === 'next' ? 'oldest' : 'newest', what));
  if (sought?.kind === 'none') {
    passed.add(target);
    return 'on';
  }
  const answer = sought && (await atSought(log, searcher, question, sought, loading));
  if (answer !== undefined) return answer;
  // Some lines at the time where the range begins are held, and others are not.
  return (await loading.loadFrom(target, direction)) === true ? 'on' : 'failed';
}

/** The line found in a range that was not held; undefined: the one loaded there is not later (earlier). */
async function atSought(
  log: HeldLog,
  searcher: Searcher,
  { direction, what, from }: Question,
  sought: Exclude<Sought, { readonly kind: 'none' }>,
  { isWanted, loadAt }: Loading,
): Promise<Found | undefined> {
  if (sought.kind === 'unread') return { ...NOTHING, unread: sought.unread };
  if (!isWanted()) return NOTHING;
  const answer = await goTo(log, searcher, { at: sought.at, interest: INTERESTS[what], direction }, loadAt);
  if (answer.entry === undefined || from === undefined || !log.store.isHeld(from)) return answer;
  return isBeyond(log.store.compare(answer.entry, from), direction) ? answer : undefined;
}

export const NOTHING: Found = { entry: undefined, searchedBackTo: undefined, isExact: false };

/** Goes to the first or last line of that kind at a time that was not loaded. */
export async function goTo(
  log: HeldLog,
  searcher: Searcher,
  { at, interest, direction }: { at: Timestamp; interest: Interest; direction: Question['direction'] },
  loadAt: Loading['loadAt'],
): Promise<Found> {
  await loadAt(at);
  await searcher.settled();
  const { view, store } = log;
  view.settle();
  view.refresh();
  const index =
    direction === 'next'
      ? view.next(interest, view.indexAt(store.positionOf(at)), 1)
      : view.next(interest, view.indexAt(store.positionOf(nextTime(at))) - 1, -1);
  const entry = index === undefined ? undefined : view.at(index);
  const isLoaded = entry !== undefined && compareTimestamps(store.time(entry), at) === 0;
  return isLoaded ? answerOf(log, entry) : NOTHING;
}

/** Whether a line that arrived while paused is the one sought: a person asks for it, so that it must be shown. */
function isOneWithheld(log: HeldLog, { from, direction }: Question, interest: LineInterest): boolean {
  const { withheld, store, view } = log;
  if (withheld.length === 0) return false;
  const shown = nearest(log, from, direction, interest);
  const isHeld = from !== undefined && store.isHeld(from);
  const isNearer = (id: EntryId) =>
    (!isHeld || isBeyond(store.compare(id, from), direction)) &&
    (shown === undefined || isBeyond(store.compare(shown, id), direction));
  return withheld.some((id) => store.isHeld(id) && isNearer(id) && view.isOfInterest(interest, id));
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

/** The nearest range in that direction that is not held and that may contain such a line. */
function nearestGap(
  log: HeldLog,
  from: EntryId | undefined,
  direction: 'next' | 'previous',
  passed: ReadonlySet<Gap>,
): EntryId | undefined {
  const { store } = log;
  const isHeld = from !== undefined && store.isHeld(from);
  let nearest: EntryId | undefined;
  for (const entry of store.missing.keys()) {
    if (passed.has(entry)) continue;
    if (isHeld && !isBeyond(sideOf(log, entry, from), direction)) continue;
    if (nearest === undefined || isBeyond(sideOf(log, nearest, entry), direction)) nearest = entry;
  }
  return nearest;
}

/**
 * Whether a gap lies before (negative) or after another entry, by their times. The gap's position may have the key of a
 * row about a container, which carries the time at which the page learned of it.
 */
function sideOf({ store }: HeldLog, gap: EntryId, entry: EntryId): number {
  const range = store.missing.get(gap);
  const other = store.missing.get(entry);
  if (range === undefined) return store.compare(gap, entry);
  const [begin, end] = other
    ? [timeOfBound(other.from), timeOfBound(other.to)]
    : [store.time(entry), store.time(entry)];
  const isBefore = compareTimestamps(timeOfBound(range.to), begin) <= 0;
  const isAfter = compareTimestamps(timeOfBound(range.from), end) >= 0;
  return isBefore === isAfter ? store.compare(gap, entry) : isBefore ? -1 : 1;
}

function isBeyond(order: number, direction: 'next' | 'previous'): boolean {
  return direction === 'next' ? order > 0 : order < 0;
}

function answerOf(log: HeldLog, entry: EntryId): Found {
  return { entry, searchedBackTo: oldestSeconds(log), isExact: true };
}

function oldestSeconds({ store }: HeldLog): number | undefined {
  const first = store.edgeLine('first');
  return first === undefined ? undefined : store.table.seconds(first);
}
