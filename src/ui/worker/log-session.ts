import type { ApiClient } from '../../contract/client.ts';
import type { Clock } from '../../domain/clock.ts';
import { KIND } from './entry-table.ts';
import type { Limits } from './evict.ts';
import { countFacets } from './facet-counts.ts';
import { facetPredicate } from './facet-filter.ts';
import { FieldSearcher } from './field-searcher.ts';
import { findFrom } from './find.ts';
import { Follower } from './follower.ts';
import { type Fill, fillGap, type Gap, gapAt } from './gap-loader.ts';
import { HeldLog } from './held-log.ts';
import { makeHistogram } from './histogram.ts';
import { jumpTo } from './jump.ts';
import { PageError } from './page-reader.ts';
import { isSameRange, withoutSources } from './plan-change.ts';
import type { Anchor, BufferStatus, EntryId, FromWorker, Row, ToWorker, ViewPlan } from './protocol.ts';
import { Rate } from './rate.ts';
import { makeRow } from './row.ts';
import { Searcher } from './searcher.ts';

const STATUS_MS = 16;
const SUMMARY_MS = 400;
/** Lines of a page: each costs the same, however far back it lies. */
export const PAGE_LINES = 1_000;
/** Lines of a missing place that come at once. */
const MISSING_LINES = 20_000;
/** Rows left above or below the reader when more are loaded. */
const NEAR_ROWS = 300;
const MOST_RANGE = 100_000;
const MOST_TICKS = 200;

export interface SessionOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly limits: Limits;
  send(message: FromWorker): void;
}

/** All that the worker does, apart from being one: messages in, messages out. */
export class LogSession {
  readonly #options: SessionOptions;
  readonly #rate: Rate;
  #log: HeldLog;
  #plan: ViewPlan | undefined;
  #abort = new AbortController();
  #follower: Follower | undefined;
  #searcher: Searcher;
  #fields: FieldSearcher;
  #connection: BufferStatus['connection'] = { state: 'connecting' };
  #loading: BufferStatus['loading'] = 'none';
  #queries = 0;
  #version = 0;
  #busy: Promise<unknown> = Promise.resolve();
  #busyCount = 0;
  #paused = false;
  #around: EntryId | undefined;
  #findCount = 0;
  #isStatusDue = false;
  #isSummaryDue = false;
  #sourcesVersion = -1;
  #problemsText = '';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#rate = new Rate(options.clock);
    this.#log = new HeldLog(options.limits);
    this.#searcher = this.#makeSearcher();
    this.#fields = this.#makeFields();
  }

  /** The log that is held, for tests. */
  get log(): HeldLog {
    return this.#log;
  }

  take(message: Exclude<ToWorker, { readonly type: 'start' | 'token' }>): void {
    switch (message.type) {
      case 'view':
        this.#setPlan(message.plan);
        return;
      case 'facets':
        this.#searcher.facets = message.filter;
        this.#fields.setFilters(message.filter.fields);
        this.#changeFilter();
        return;
      case 'search':
        this.#searcher.set(message.plan);
        return;
      case 'rows':
        this.#answerRows(message);
        return;
      case 'viewport':
        this.#setViewport(message.first, message.last);
        return;
      case 'load':
        void this.#load(message.what);
        return;
      case 'load-missing':
        void this.#loadMissing(message.entry);
        return;
      case 'jump':
        void this.#jump(message);
        return;
      case 'pause':
        this.#pause(message.paused);
        return;
      case 'find':
        void this.#find(message);
        return;
      case 'text':
        this.#answerText(message.request, message.entries);
        return;
      case 'range':
        this.#answerRange(message);
        return;
      case 'around':
        this.#around = message.entry;
        this.#changeFilter();
        return;
      case 'histogram': {
        this.#log.view.refresh();
        const histogram = makeHistogram(this.#log.store, this.#log.view, message.buckets);
        this.#options.send({ type: 'histogram', request: message.request, histogram });
        return;
      }
      case 'retry-now':
        this.#follower?.retryNow();
        return;
      case 'close':
        this.close();
        return;
    }
  }

  close(): void {
    this.#abort.abort();
    this.#follower?.close();
    this.#searcher.close();
    this.#fields.close();
  }

  #setPlan(plan: ViewPlan): void {
    const before = this.#plan;
    this.#plan = plan;
    if (before === undefined || !isSameRange(before, plan)) {
      this.#openAnew(plan);
      return;
    }
    const added = plan.sources.filter((source) => !before.sources.includes(source));
    const removed = before.sources.filter((source) => !plan.sources.includes(source));
    if (added.length === 0 && removed.length === 0) {
      if (before.follow !== plan.follow) this.#changeFollowing(plan);
      return;
    }
    if (removed.length > 0) {
      withoutSources(this.#log.store, plan.sources);
      this.#version++;
    }
    this.#changeSources(plan, added);
  }

  /** What was held is of another context or range. */
  #openAnew(plan: ViewPlan): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#follower?.close();
    this.#log = new HeldLog(this.#options.limits, this.#log.store.table.nextId);
    this.#searcher.close();
    this.#fields.close();
    this.#searcher = this.#makeSearcher(this.#searcher);
    this.#fields = this.#makeFields(this.#fields);
    this.#log.store.withholding = this.#paused;
    this.#around = undefined;
    this.#busy = Promise.resolve();
    this.#busyCount = 0;
    this.#loading = 'opening';
    this.#version++;
    this.#applyFilter();
    this.#follower = this.#makeFollower(plan);
    this.#follower.open();
    this.#changed();
  }

  #changeFollowing(plan: ViewPlan): void {
    if (!plan.follow) {
      this.#follower?.stop();
      this.#changed();
      return;
    }
    this.#follower?.setPlan(plan);
    if (this.#log.edges.newer === 'now') this.#follower?.resume();
  }

  #changeSources(plan: ViewPlan, added: readonly string[]): void {
    this.#follower?.setPlan(plan);
    const { edges } = this.#log;
    const isLive = plan.follow && plan.to === undefined && edges.newer === 'now';
    if (isLive || edges.older === 'unknown') this.#follower?.resumeWith(added);
    else if (added.length > 0) void this.#exclusive('opening', () => this.#loadAdded(plan, added));
    this.#changed();
  }

  /** Lines of sources that came to a view which is not live, between its edges. */
  async #loadAdded(plan: ViewPlan, added: readonly string[]): Promise<void> {
    const { loadBetween } = await import('./added-sources.ts');
    await loadBetween(this.#log, { ...this.#loader(), plan: { ...plan, sources: added } });
  }

  #makeFollower(plan: ViewPlan): Follower {
    const { api, clock, send } = this.#options;
    const log = this.#log;
    return new Follower({
      api,
      clock,
      log,
      plan,
      pageLines: PAGE_LINES,
      nextQuery: () => this.#queries++,
      onLines: (count) => {
        this.#rate.add(count);
        this.#trim();
        this.#changed();
      },
      onOpened: () => {
        this.#loading = 'none';
        this.#changed();
      },
      onChange: () => this.#changed(),
      onConnection: (connection) => {
        this.#connection = connection;
        this.#changed();
      },
      onSignedOut: (reason) => send({ type: 'signed-out', reason }),
    });
  }

  #makeSearcher(previous?: Searcher): Searcher {
    return new Searcher(this.#log, this.#options.clock, () => this.#searchChanged(), previous);
  }

  #makeFields(previous?: FieldSearcher): FieldSearcher {
    return new FieldSearcher(this.#log, this.#options.clock, () => this.#searchChanged(), previous);
  }

  #searchChanged(): void {
    this.#applyFilter();
    this.#log.view.settle();
    this.#version++;
    this.#changed();
  }

  #changeFilter(): void {
    this.#applyFilter();
    this.#log.view.invalidate();
    this.#version++;
    this.#changed();
  }

  #applyFilter(): void {
    const { view, store } = this.#log;
    const isAround = this.#around !== undefined;
    const next = {
      wanted: isAround ? undefined : facetPredicate(store.sources, this.#searcher.facets),
      byFields: !isAround && this.#fields.isActive,
      bySearch: !isAround && this.#searcher.isOnly,
      paused: this.#paused,
    };
    const { filter } = view;
    const isSame =
      next.wanted === filter.wanted &&
      next.byFields === filter.byFields &&
      next.bySearch === filter.bySearch &&
      next.paused === filter.paused;
    if (!isSame) view.filter = next;
  }

  #pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.#log.release(paused);
    this.#changeFilter();
  }

  #answerRows(message: Extract<ToWorker, { readonly type: 'rows' }>): void {
    const { store, view } = this.#log;
    view.refresh();
    const anchorIndex = Math.max(0, Math.min(view.total - 1, this.#indexOf(message.anchor)));
    const first = Math.max(0, anchorIndex - message.above);
    const hitsIn = this.#searcher.hitsIn;
    const rows: Row[] = view
      .slice(first, anchorIndex - first + message.below)
      .map((id, offset) => makeRow(store, id, first + offset, hitsIn));
    const { request } = message;
    this.#options.send({
      type: 'rows',
      request,
      version: this.#version,
      total: view.total,
      rows,
      anchorIndex,
    });
  }

  #indexOf(anchor: Anchor): number {
    const { store, view } = this.#log;
    if (anchor.at === 'start') return 0;
    if (anchor.at === 'end') return view.total - 1;
    if (anchor.at === 'index') return anchor.index;
    return store.isHeld(anchor.entry) ? view.indexOf(anchor.entry) : view.total - 1;
  }

  #setViewport(first: EntryId, last: EntryId): void {
    const { store, view, edges } = this.#log;
    const moved = this.#log.reader !== first;
    this.#log.reader = first;
    if (!moved || this.#busyCount > 0 || !store.isHeld(first) || !store.isHeld(last)) return;
    view.refresh();
    if (view.indexOf(first) < NEAR_ROWS && !store.missing.has(store.order.first ?? -1)) {
      if (typeof edges.older !== 'string') void this.#load('older');
    } else if (view.total - view.indexOf(last) < NEAR_ROWS && typeof edges.newer !== 'string') {
      void this.#load('newer');
    }
  }

  #loader(): Parameters<typeof fillGap>[3] {
    if (this.#plan === undefined) throw new Error('no view is open');
    const nextQuery = () => this.#queries++;
    return { api: this.#options.api, plan: this.#plan, signal: this.#abort.signal, nextQuery };
  }

  /** One load after the other. Failures are told as a problem, and gone with the next load that works. */
  async #exclusive<T>(loading: BufferStatus['loading'], work: () => Promise<T>): Promise<T | undefined> {
    const log = this.#log;
    this.#busyCount++;
    const run = this.#busy.then(async () => {
      if (log !== this.#log) return undefined;
      this.#loading = loading;
      this.#changed();
      const wasBehind = log.edges.newer !== 'now';
      try {
        const result = await work();
        if (wasBehind && log.edges.newer === 'now' && log === this.#log) this.#reachedNow();
        log.problems.delete('load');
        return result;
      } catch (error) {
        if (!(error instanceof PageError)) {
          if (this.#abort.signal.aborted) return undefined;
          throw error;
        }
        log.problems.set('load', { key: 'load', error: error.error, source: undefined });
        return undefined;
      } finally {
        if (log === this.#log) {
          this.#loading = 'none';
          this.#busyCount--;
          this.#trim();
          this.#version++;
          this.#changed();
        }
      }
    });
    this.#busy = run.catch(() => undefined);
    return run;
  }

  #fill(gap: Gap, fill: Fill): Promise<readonly EntryId[]> {
    return fillGap(this.#log, gap, fill, this.#loader());
  }

  /** The held part reaches to the newest line again. */
  #reachedNow(): void {
    if (this.#plan?.follow !== true || this.#plan.to !== undefined) return;
    this.#log.recountNewest();
    this.#follower?.resume();
  }

  #load(what: 'older' | 'newer'): Promise<unknown> {
    return this.#exclusive(what, () => this.#loadPage(what, PAGE_LINES));
  }

  /** One more page; false: there is nothing more. */
  async #loadPage(what: 'older' | 'newer', count: number): Promise<boolean> {
    const { edges, store } = this.#log;
    const { first } = store.order;
    const place = first === undefined ? undefined : store.missing.get(first);
    if (what === 'older' && first !== undefined && place !== undefined) {
      await this.#fill({ at: 'missing', entry: first, place }, { upTo: { bound: undefined, count } });
      return true;
    }
    const bound = edges[what];
    if (typeof bound === 'string') return false;
    const part = { bound: undefined, count };
    await this.#fill({ at: what, bound }, what === 'older' ? { upTo: part } : { startingAt: part });
    return true;
  }

  #loadMissing(entry: EntryId): Promise<unknown> {
    const place = this.#log.store.missing.get(entry);
    if (place === undefined || place.state === 'loading') return Promise.resolve();
    place.state = 'loading';
    this.#version++;
    return this.#exclusive('older', async () => {
      const { store } = this.#log;
      if (store.missing.get(entry) !== place) return;
      try {
        await this.#fill(
          { at: 'missing', entry, place },
          { upTo: { bound: undefined, count: MISSING_LINES } },
        );
      } finally {
        place.state = 'idle';
      }
    });
  }

  async #jump({ request, to }: Extract<ToWorker, { readonly type: 'jump' }>): Promise<void> {
    const log = this.#log;
    const fill = (gap: Gap, part: Fill) => this.#fill(gap, part);
    const entry = await this.#exclusive('jumping', async () => {
      const found = await jumpTo(log, to, PAGE_LINES, fill, (at) => gapAt(log, at));
      // What is gone to is where the reader is: it is not let go for what came with it.
      if (found !== undefined) log.reader = found;
      return found;
    });
    const error = entry === undefined ? log.problems.get('load')?.error : undefined;
    this.#options.send({ type: 'jumped', request, entry, ...(error === undefined ? {} : { error }) });
  }

  async #find(message: Extract<ToWorker, { readonly type: 'find' }>): Promise<void> {
    const number = ++this.#findCount;
    const log = this.#log;
    const found = await findFrom(log, this.#searcher, message, {
      isWanted: () => number === this.#findCount && log === this.#log,
      loadOlder: () => this.#exclusive('older', () => this.#loadPage('older', PAGE_LINES * 5)),
      loadNewer: () => this.#exclusive('newer', () => this.#loadPage('newer', PAGE_LINES * 5)),
    });
    this.#options.send({ type: 'found', request: message.request, ...found });
  }

  #answerText(request: number, entries: readonly EntryId[]): void {
    const { store } = this.#log;
    const lines = [...new Set(entries)].filter((id) => store.table.kind(id) === KIND.line);
    lines.sort((a, b) => store.compare(a, b));
    const text = lines.map((id) => store.text(id)).join('\n');
    this.#options.send({ type: 'text', request, text, lines: lines.length });
  }

  #answerRange({ request, from, to }: Extract<ToWorker, { readonly type: 'range' }>): void {
    const { store, view } = this.#log;
    let entries: EntryId[] = [];
    if (store.isHeld(from) && store.isHeld(to)) {
      view.refresh();
      const [a, b] = [view.indexOf(from), view.indexOf(to)];
      entries = view.slice(Math.min(a, b), Math.min(MOST_RANGE, Math.abs(a - b) + 1));
    }
    this.#options.send({ type: 'range', request, entries });
  }

  #trim(): void {
    if (this.#log.trim()) this.#version++;
  }

  #changed(): void {
    if (!this.#isStatusDue) {
      this.#isStatusDue = true;
      this.#options.clock.after(STATUS_MS, () => this.#sendStatus());
    }
    if (!this.#isSummaryDue) {
      this.#isSummaryDue = true;
      this.#options.clock.after(SUMMARY_MS, () => this.#sendSummary());
    }
  }

  #sendStatus(): void {
    this.#isStatusDue = false;
    if (this.#abort.signal.aborted) return;
    this.#applyFilter();
    this.#sendSources();
    this.#options.send({ type: 'status', status: this.#status() });
  }

  #sendSources(): void {
    const { sources } = this.#log.store;
    if (sources.version !== this.#sourcesVersion) {
      this.#sourcesVersion = sources.version;
      const wanted = new Set(this.#plan?.sources);
      const list = sources.list(({ wire }) => wire.arguments.some((argument) => wanted.has(argument)));
      this.#options.send({ type: 'sources', sources: list });
    }
    const problems = [...this.#log.problems.values()];
    const text = JSON.stringify(problems);
    if (text === this.#problemsText) return;
    this.#problemsText = text;
    this.#options.send({ type: 'problem', problems });
  }

  /** What is costly to count, less often. */
  #sendSummary(): void {
    this.#isSummaryDue = false;
    if (this.#abort.signal.aborted) return;
    this.#log.store.sources.version++;
    this.#log.view.refresh();
    this.#options.send({ type: 'facets', facets: countFacets(this.#log) });
    // The rate falls to nothing when lines stop coming: that is told too.
    if (this.#rate.perSecond > 0) this.#changed();
    else this.#sendStatus();
  }

  #status(): BufferStatus {
    const { store, view, edges, withheld, arrived } = this.#log;
    view.refresh();
    const first = store.order.first;
    const last = store.order.last;
    return {
      version: this.#version,
      rows: view.total,
      lines: store.lines,
      bytes: store.arena.bytes,
      oldestSeconds: first === undefined ? undefined : store.table.seconds(first),
      newestSeconds: last === undefined ? undefined : store.table.seconds(last),
      atBeginning: edges.older === 'beginning' && (first === undefined || !store.missing.has(first)),
      atEnd: edges.newer === 'now',
      loading: this.#loading,
      pausedLines: withheld.length,
      arrived,
      receivedPerSecond: this.#rate.perSecond,
      connection: this.#connection,
      search: {
        ...this.#searcher.status,
        hits: view.count('hits'),
        ticks: view.ticks('hits', MOST_TICKS),
      },
      errorTicks: view.ticks('errors', MOST_TICKS),
      warnTicks: view.ticks('warns', MOST_TICKS),
    };
  }
}
