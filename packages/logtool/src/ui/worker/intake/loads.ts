import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { RECONNECT_WAITS } from '../../api/reconnect-waits.ts';
import { intervalOf } from '../known/missing.ts';
import type { BufferStatus, EntryId, JumpTarget, PinnedLine, ViewPlan } from '../protocol/protocol.ts';
import { type HeldLog, isFiltering } from '../store/held-log.ts';
import { parseLink } from '../store/link.ts';
import { type Fill, fillGap, type Gap, gapAt, type LoaderOptions } from './gap-loader.ts';
import { jumpTo } from './jump.ts';
import { PageError } from './page-reader.ts';

/** Lines of a page; each page costs the same, however far back it is. */
export const PAGE_LINES = 1_000;
/** Maximum lines of a missing range to load at once, so that they do not evict each other. */
const MISSING_LINES = 20_000;
const MISSING_SHARE = 2;
/** Loads more when fewer rows than this remain above or below the reader. */
const NEAR_ROWS = 300;

export interface LoadsOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly log: HeldLog;
  /** Whether the page is hidden, and leaves its connections to other tabs. */
  readonly isResting: boolean;
  readonly plan: () => ViewPlan;
  readonly nextQuery: () => number;
  /** Called when entries arrive and when a load begins or ends. */
  readonly onChange: () => void;
  /** Called when the held part reaches the newest line again. */
  readonly onReachedNow: () => void;
}

/** Loads ranges that are not held, one at a time. A failure is a problem that the next successful load clears. */
export class Loads {
  readonly #options: LoadsOptions;
  readonly #abort = new AbortController();
  /** Settles once the view is open or closed: until then nobody knows where the held part ends. */
  readonly untilOpen: Promise<void>;
  readonly #open: () => void;
  /** What a load waits for. */
  #busy: Promise<unknown>;
  #waiting = 0;
  #lateAbort = new AbortController();
  #isResting: boolean;
  readonly #waitingForAnswer: (() => void)[] = [];
  loading: BufferStatus['loading'] = 'opening';

  constructor(options: LoadsOptions) {
    this.#options = options;
    let open = () => {};
    this.untilOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#open = open;
    this.#busy = this.untilOpen;
    this.#isResting = options.isResting;
  }

  close(): void {
    this.#abort.abort();
    this.#open();
    this.#answersChanged();
  }

  /** Ends the request for late lines while the page is hidden; false: makes it again. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    if (isResting) this.#lateAbort.abort();
    else this.retryLate();
  }

  /** Ends the opening state; call it when everything that the view opens with has arrived. */
  opened(): void {
    if (this.#waiting === 0) this.loading = 'none';
    this.#open();
  }

  /** Whether a load runs or waits. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Takes the reader's position: loads more when few rows remain near these entries. */
  nearReader(first: EntryId, last: EntryId): void {
    const { store, view, edges } = this.#options.log;
    // ScreenFill loads for filtered views.
    if (isFiltering(view.filter)) return;
    // Refreshing the view may add or remove facts.
    view.refresh();
    if (this.#waiting > 0 || !store.isHeld(first) || !store.isHeld(last)) return;
    const isMissingFirst = store.order.first !== undefined && store.missing.has(store.order.first);
    if (view.indexOf(first) < NEAR_ROWS && !isMissingFirst && typeof edges.older !== 'string') {
      void this.page('older');
    } else if (view.total - view.indexOf(last) < NEAR_ROWS && typeof edges.newer !== 'string') {
      void this.page('newer');
    }
  }

  /** Loads one more page; false: nothing more exists. Undefined: the load failed, or `stop` ended it. */
  page(what: 'older' | 'newer', count = PAGE_LINES, stop?: AbortSignal): Promise<boolean | undefined> {
    const load = async () => {
      const { edges, store } = this.#options.log;
      const { first } = store.order;
      const range = first === undefined ? undefined : store.missing.get(first);
      const options = { bound: undefined, count };
      if (what === 'older' && first !== undefined && range !== undefined) {
        await this.#fill({ at: 'missing', entry: first, range }, { upTo: options }, stop);
        return true;
      }
      const bound = edges[what];
      if (typeof bound === 'string') return false;
      const fill = what === 'older' ? { upTo: options } : { startingAt: options };
      const ids = await this.#fill({ at: what, bound }, fill, stop);
      const reached = edges[what];
      // Without some containers, a page cannot end among more lines of one time than it may have.
      return ids.length > 0 || typeof reached === 'string' || reached.at !== bound.at ? true : undefined;
    };
    return this.#exclusive(what, load, stop);
  }

  async missing(entry: EntryId): Promise<void> {
    const { store } = this.#options.log;
    const range = store.missing.get(entry);
    if (range === undefined || range.state === 'loading') return;
    range.state = 'loading';
    await this.#exclusive('older', async () => {
      try {
        if (store.missing.get(entry) !== range) return;
        const count = Math.min(MISSING_LINES, Math.ceil(this.#options.log.limits.lines / MISSING_SHARE));
        const options = { bound: undefined, count };
        const fill = this.#isReadFromAbove(entry) ? { startingAt: options } : { upTo: options };
        await this.#fill({ at: 'missing', entry, range }, fill);
      } finally {
        range.state = 'idle';
      }
    });
  }

  /**
   * Loads a page at one end of a missing range; false: it is loaded. Undefined: the load failed, or `stop` ended it.
   */
  missingFrom(
    entry: EntryId,
    end: 'start' | 'end',
    count: number,
    stop?: AbortSignal,
  ): Promise<boolean | undefined> {
    const load = async () => {
      const range = this.#options.log.store.missing.get(entry);
      if (range === undefined) return false;
      const options = { bound: undefined, count };
      await this.#fill(
        { at: 'missing', entry, range },
        end === 'start' ? { startingAt: options } : { upTo: options },
        stop,
      );
      return true;
    };
    return this.#exclusive('older', load, stop);
  }

  /**
   * Whether the reader reads the lines above a missing range rather than those below it, so that it fills from above.
   */
  #isReadFromAbove(entry: EntryId): boolean {
    const { store, view, reader, readerLast } = this.#options.log;
    if (reader === undefined || readerLast === undefined) return false;
    view.refresh();
    if (!store.isHeld(reader) || !store.isHeld(readerLast)) return false;
    const at = view.indexOf(entry);
    return at - view.indexOf(reader) > view.indexOf(readerLast) - at;
  }

  /** The line of a link is sought until its container has answered. */
  async jump(to: JumpTarget, stop?: AbortSignal): Promise<EntryId | undefined> {
    const { log } = this.#options;
    for (;;) {
      const found = await this.#jumpOnce(to, stop);
      const line = to.at === 'line' && found === undefined ? parseLink(to.link) : undefined;
      const isSilent = line !== undefined && [...log.silent].some((id) => line.order.startsWith(`${id}/`));
      if (!isSilent || this.#abort.signal.aborted || stop?.aborted === true) return found;
      await this.#nextAnswer();
    }
  }

  #jumpOnce(to: JumpTarget, stop: AbortSignal | undefined): Promise<EntryId | undefined> {
    const { log, plan } = this.#options;
    const load = async () => {
      const fill = (gap: Gap, options: Fill) => this.#fill(gap, options, stop);
      const range = intervalOf(plan());
      const gapInRange = (at: Timestamp) => (sideOf(range, at) === 'inside' ? gapAt(log, at) : undefined);
      const found = await jumpTo(log, withinRange(to, range), PAGE_LINES, fill, gapInRange);
      // The jump target becomes the reader's position, so that the lines loaded with it do not evict it.
      if (found !== undefined) log.reader = found;
      return found;
    };
    return this.#exclusive('jumping', load, stop);
  }

  /** Loads the lines of sources added to a view that is not live, between its edges. */
  async added(sources: readonly string[]): Promise<void> {
    await this.#exclusive('opening', async () => {
      const { loadBetween } = await import('./added-sources.ts');
      const loader = this.#loader();
      await loadBetween(this.#options.log, { ...loader, plan: { ...loader.plan, sources } });
    });
  }

  /** Loads the lines of the containers that had not answered when a view that is not live was opened. */
  async unanswered(): Promise<void> {
    const { log, plan } = this.#options;
    const { missUnanswered } = await import('./late-lines.ts');
    if (this.#abort.signal.aborted) return;
    missUnanswered(log, plan());
    this.retryLate();
  }

  /** Asks the late containers again, now. */
  retryLate(): void {
    this.#answersChanged();
    if (this.#options.log.late.size > 0 && !this.#isResting) void this.#readLate();
  }

  /**
   * Loads what pages lack of containers that did not answer, until nothing is lacking. It runs beside the other loads,
   * because it lasts until they answer.
   */
  async #readLate(): Promise<void> {
    const { log, clock, onChange } = this.#options;
    this.#lateAbort.abort();
    this.#lateAbort = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, this.#lateAbort.signal]);
    const backoff = new Backoff(RECONNECT_WAITS);
    try {
      while (log.late.size > 0) {
        const isRead = await this.#readLateOnce(signal);
        if (signal.aborted) return;
        this.#answersChanged();
        onChange();
        if (isRead) backoff.reset();
        else await sleep(clock, backoff.nextMs(), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Returns false if nothing could be read. */
  async #readLateOnce(signal: AbortSignal): Promise<boolean> {
    const { loadLate } = await import('./late-lines.ts');
    try {
      return await loadLate(this.#options.log, { ...this.#loader(), signal });
    } catch (error) {
      // The containers stay named as late, and are asked again.
      if (error instanceof PageError) return false;
      throw error;
    }
  }

  #nextAnswer(): Promise<void> {
    return new Promise((resolve) => {
      this.#waitingForAnswer.push(resolve);
    });
  }

  #answersChanged(): void {
    for (const resolve of this.#waitingForAnswer.splice(0)) resolve();
  }

  /**
   * Reads the lines of links, loaded or not; lines that were not loaded are not kept. Undefined: the view was closed.
   */
  async pinned(links: readonly string[]): Promise<readonly PinnedLine[] | undefined> {
    const { readPinned } = await import('./pinned-lines.ts');
    try {
      return await readPinned(this.#options.log, links, this.#loader());
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      throw error;
    }
  }

  async #fill(gap: Gap, fill: Fill, stop?: AbortSignal): Promise<readonly EntryId[]> {
    const { log } = this.#options;
    const loader = this.#loader();
    const signal = stop === undefined ? loader.signal : AbortSignal.any([loader.signal, stop]);
    const { version } = log.late;
    const ids = await fillGap(log, gap, fill, { ...loader, signal });
    if (log.late.version !== version) this.retryLate();
    return ids;
  }

  #loader(): LoaderOptions {
    const { api, clock, plan, nextQuery } = this.#options;
    return { api, clock, plan: plan(), signal: this.#abort.signal, nextQuery };
  }

  #exclusive<T>(
    loading: BufferStatus['loading'],
    work: () => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T | undefined> {
    this.#waiting++;
    const run = this.#busy.then(() => this.#run(loading, work, stop));
    this.#busy = run.catch(() => undefined);
    return run;
  }

  async #run<T>(
    loading: BufferStatus['loading'],
    work: () => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T | undefined> {
    const { log, onChange, onReachedNow } = this.#options;
    const { signal } = this.#abort;
    const isStopped = () => stop?.aborted === true;
    if (signal.aborted) return undefined;
    if (isStopped()) {
      this.#waiting--;
      return undefined;
    }
    this.loading = loading;
    onChange();
    const wasApart = log.edges.newer !== 'now';
    try {
      const result = await work();
      if (signal.aborted) return undefined;
      log.problems.delete('load');
      if (wasApart && log.edges.newer === 'now') onReachedNow();
      return result;
    } catch (error) {
      if (signal.aborted || isStopped()) return undefined;
      if (!(error instanceof PageError)) throw error;
      log.problems.set('load', { key: 'load', error: error.error, source: undefined });
      return undefined;
    } finally {
      this.#waiting--;
      this.loading = 'none';
      if (!signal.aborted) onChange();
    }
  }
}

/** Limits a time to the range: a time outside leads to the nearer end. */
function withinRange(to: JumpTarget, range: Interval): JumpTarget {
  if (to.at !== 'time') return to;
  const side = sideOf(range, to);
  return side === 'inside' ? to : { at: side === 'before' ? 'start' : 'end' };
}

function sideOf({ from, to }: Interval, at: Timestamp): 'before' | 'inside' | 'after' {
  if (from !== undefined && compareTimestamps(at, from) < 0) return 'before';
  return to !== undefined && compareTimestamps(at, to) >= 0 ? 'after' : 'inside';
}
