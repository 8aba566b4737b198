import type { EntryId } from '../protocol/protocol.ts';
import { type HeldLog, isFiltering } from '../store/held-log.ts';
import { type Loads, PAGE_LINES } from './loads.ts';

/** A filtered view loads on while fewer rows than this remain above or below the reader. */
const AHEAD_ROWS = 100;
/** How many lines one gesture of a person loads at most, and in pages of how many after the first. */
const GESTURE_LINES = 20_000;
const LARGE_PAGE_LINES = 5 * PAGE_LINES;
/** How many lines a list loads that begins with a counted line: lines like it are known to exist, and may be rare. */
export const COUNTED_LINES = 100_000;

type Way = 'older' | 'newer';

/** The open view. */
export interface FilledView {
  readonly log: HeldLog;
  readonly loads: Pick<Loads, 'page' | 'missingFrom' | 'isBusy' | 'jump' | 'loading'>;
  /** Resolves when the filters have examined all held lines. */
  readonly settled: () => Promise<unknown>;
}

/**
 * Loads on around the reader of a filtered view, whose pages may have few rows or none: until enough rows are there, the
 * log ends, or the lines that one gesture may load are used up. The rest is loaded at the next gesture.
 */
export class ScreenFill {
  readonly #view: () => FilledView;
  /** Lines that may still be loaded. */
  #left = 0;
  #isFirstPage = true;
  #isRunning = false;

  constructor(view: () => FilledView) {
    this.#view = view;
  }

  /** Notes that a person moved, chose what to show, or opened a view. */
  renew(lines = GESTURE_LINES): void {
    this.#left = lines;
    this.#isFirstPage = true;
    void this.goOn();
  }

  /** Loads on at an end of the view, because a person scrolls beyond it. */
  async reach(way: Way): Promise<void> {
    const { log, loads } = this.#view();
    // Lines that the limit of the view let go are loaded only by the row that counts them.
    if (this.#isRunning || loads.isBusy || (way === 'older' && isCutFirst(log))) return;
    this.#left = GESTURE_LINES - PAGE_LINES;
    this.#isFirstPage = false;
    if ((await loads.page(way)) === true) await this.goOn();
  }

  /** Loads what is left of the last gesture, if rows are lacking. */
  async goOn(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (await this.#loadOne());
    } finally {
      this.#isRunning = false;
    }
  }

  /** Returns whether to load more. */
  async #loadOne(): Promise<boolean> {
    if (this.#left <= 0) return false;
    const { log, loads, settled } = this.#view();
    await settled();
    const way = wayOf(log);
    const gap = way === undefined ? gapNear(log) : undefined;
    if ((way ?? gap) === undefined || loads.isBusy || this.#view().log !== log) return false;
    const count = Math.min(this.#left, this.#isFirstPage ? PAGE_LINES : LARGE_PAGE_LINES);
    this.#isFirstPage = false;
    this.#left -= count;
    const hasMore = await (gap === undefined
      ? loads.page(way ?? 'older', count)
      : loads.missingFrom(gap.entry, gap.end, count));
    // A failed load is repeated by a person.
    if (hasMore === undefined) this.#left = 0;
    return hasMore === true;
  }
}

/** Where a filtered view lacks rows that may exist; undefined: nowhere. */
function wayOf(log: HeldLog): Way | undefined {
  const { view, store, edges, reader, readerLast } = log;
  if (!isFiltering(view.filter)) return undefined;
  if (reader === undefined || readerLast === undefined) return undefined;
  if (!store.isHeld(reader) || !store.isHeld(readerLast)) return undefined;
  view.settle();
  view.refresh();
  // The page says that nothing matches, and offers to search.
  if (view.total === view.count('facts')) return undefined;
  const above =
    typeof edges.older === 'string' || isCutFirst(log) ? Number.POSITIVE_INFINITY : view.indexOf(reader);
  const below =
    typeof edges.newer === 'string'
      ? Number.POSITIVE_INFINITY
      : Math.max(0, view.total - 1 - view.indexOf(readerLast));
  if (Math.min(above, below) >= AHEAD_ROWS) return undefined;
  return below <= above ? 'newer' : 'older';
}

interface NearGap {
  readonly entry: EntryId;
  /** The end of it that is nearer to the reader. */
  readonly end: 'start' | 'end';
}

/** The nearest range between held lines that is not loaded, if a filtered view lacks rows that may be in it. */
function gapNear(log: HeldLog): NearGap | undefined {
  const { view, store, reader, readerLast } = log;
  if (!isFiltering(view.filter) || reader === undefined || readerLast === undefined) return undefined;
  if (!store.isHeld(reader) || !store.isHeld(readerLast)) return undefined;
  view.refresh();
  const [first, last] = [view.indexOf(reader), view.indexOf(readerLast)];
  const gaps = [...store.missing.keys()]
    .filter((entry) => entry !== store.order.first)
    .map((entry) => ({ entry, below: view.indexOf(entry) - last, above: first - view.indexOf(entry) }));
  const rowsTo = ({ below, above }: (typeof gaps)[number]) => Math.max(0, below, above);
  const [nearest] = gaps.toSorted((a, b) => rowsTo(a) - rowsTo(b));
  if (nearest === undefined || rowsTo(nearest) >= AHEAD_ROWS) return undefined;
  return { entry: nearest.entry, end: nearest.below >= 0 ? 'start' : 'end' };
}

/** Whether the view begins with lines that were let go. */
function isCutFirst({ store }: HeldLog): boolean {
  const { first } = store.order;
  return first !== undefined && store.missing.has(first);
}
