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
}

/** Finds the next hit, error or warning in the loaded lines, then in page after page that it loads. */
export async function findFrom(
  log: HeldLog,
  searcher: Searcher,
  question: Question,
  loading: Loading,
): Promise<Answer> {
  const { direction, what } = question;
  const interest = INTERESTS[what];
  if (what === 'hit' && !searcher.isActive) return { entry: undefined, searchedBackTo: undefined };
  for (let page = 0; ; page++) {
    await searcher.settled();
    const found = nearest(log, question.from, direction, interest);
    if (found !== undefined) return found;
    if (page === MAX_PAGES || !loading.isWanted()) break;
    const hasMore = await (direction === 'previous' ? loading.loadOlder() : loading.loadNewer());
    if (hasMore !== true) break;
  }
  return { entry: undefined, searchedBackTo: oldestSeconds(log) };
}

function nearest(
  log: HeldLog,
  from: EntryId | undefined,
  direction: 'next' | 'previous',
  interest: Interest,
): Answer | undefined {
  const { view, store } = log;
  view.settle();
  view.refresh();
  const start = from !== undefined && store.isHeld(from) ? view.indexOf(from) : undefined;
  let index: number | undefined;
  if (direction === 'next') {
    // A hidden entry leads to the next visible one.
    const isShown = start !== undefined && view.at(start) === from;
    index = view.next(interest, start === undefined ? 0 : isShown ? start + 1 : start, 1);
  } else {
    index = view.next(interest, start === undefined ? view.total - 1 : start - 1, -1);
  }
  if (index === undefined) return undefined;
  return {
    entry: view.at(index),
    ordinal: view.countBefore(interest, index) + 1,
    searchedBackTo: oldestSeconds(log),
  };
}

function oldestSeconds({ store }: HeldLog): number | undefined {
  return store.order.first === undefined ? undefined : store.table.seconds(store.order.first);
}
