import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import { type Interval, nextTime } from '../../../domain/coverage/interval.ts';
import { COUNTED_LEVELS, type CountedLevel } from '../../../domain/coverage/scan.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { FieldFilter } from '../../../domain/search/line-search.ts';
import { heldCoverage } from '../coverage/held-coverage.ts';
import {
  type SeekOrder,
  type Sought,
  type SoughtLine,
  seekLine,
  type Unread,
} from '../coverage/seek-line.ts';
import { type Loads, PAGE_LINES } from '../intake/loads.ts';
import { intervalOf } from '../known/missing.ts';
import type {
  EntryId,
  FindStatus,
  FromWorker,
  ToWorker,
  UnreadRange,
  ViewPlan,
} from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { allows, allowsContainer, allowsSource } from './facet-filter.ts';
import type { FieldSearcher } from './field-searcher.ts';
import { type Found, findFrom, NOTHING } from './find.ts';
import { type FactsOfFind, findFact } from './find-fact.ts';
import type { Searcher } from './searcher.ts';
import { conditionOf } from './source-condition.ts';

/** Lines that one page loads during a search. */
const FIND_LINES = PAGE_LINES * 5;
/** How often the page learns how far a search has come. */
const PROGRESS_MS = 250;

type Find = Extract<ToWorker, { readonly type: 'find' }>;
type FindFact = Extract<ToWorker, { readonly type: 'find-fact' }>;
type ShowMatch = Extract<ToWorker, { readonly type: 'show-match' }>;
type Question = Find | FindFact | ShowMatch;
type FoundAnswer = Extract<FromWorker, { readonly type: 'found' }>;

/** The open view. */
export interface FinderView {
  readonly log: HeldLog;
  readonly loads: Loads;
  readonly searcher: Searcher;
  readonly fields: FieldSearcher;
  readonly plan: ViewPlan | undefined;
  /** Whether records of several lines are one row. */
  readonly isGrouping: boolean;
}

export interface FinderOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly nextQuery: () => number;
  readonly view: () => FinderView;
  readonly facts: FactsOfFind;
  /** Where lines of the view are missing that nobody can read any more. */
  readonly gaps: () => readonly KnownGap[];
  /** The interval that contains all lines of the view. */
  readonly range: () => Interval;
  readonly send: (message: FromWorker) => void;
  /** Called when a search progresses, begins or ends. */
  readonly onChange: () => void;
}

/** The search for one line. */
interface Task {
  readonly abort: AbortController;
  readonly view: FinderView;
  status: FindStatus;
  reportedMs: number;
  /** Whether a person stopped the search; otherwise another question replaced it. */
  isStopped: boolean;
}

/** Goes to the lines that a person asks for, one question at a time: a new one, or a stop, ends the previous one. */
export class Finder {
  readonly #options: FinderOptions;
  #task: Task | undefined;
  /** Containers (LogSource.id) that a person chose to skip, because they could not be read. */
  readonly #without = new Map<string, LogSource>();
  /** What the last search could not read, and where the next one continues. */
  #unread: { readonly key: string; readonly unread: Unread } | undefined;
  #lastHit: EntryId | undefined;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  /** The running search; undefined: none, or it has not left the loaded lines. */
  get status(): FindStatus | undefined {
    return this.#task !== undefined && this.#task.reportedMs > Number.NEGATIVE_INFINITY
      ? this.#task.status
      : undefined;
  }

  /** The hit that was found last in this view; undefined: none. */
  get lastHit(): EntryId | undefined {
    return this.#lastHit;
  }

  /** Forgets the searches of the previous view. */
  reset(): void {
    this.#lastHit = undefined;
    this.#without.clear();
    this.#unread = undefined;
    this.#end(false);
  }

  /** Ends the running search; its answer reports what was read. */
  stop(): void {
    this.#end(true);
  }

  #end(isStopped: boolean): void {
    if (this.#task === undefined) return;
    this.#task.isStopped = isStopped;
    this.#task.abort.abort();
    this.#task = undefined;
    this.#options.onChange();
  }

  async find(message: Find): Promise<void> {
    await this.#ask(message, (task) => {
      const { log, searcher } = task.view;
      return findFrom(log, searcher, message, {
        isWanted: () => !task.abort.signal.aborted,
        intervalOf: (gap) => intervalOfGap(task.view, gap),
        loadFrom: (gap, direction) => this.#loadFrom(task, gap, direction),
        seek: async (interval, order, what) => {
          const sought = await this.#seekFor(task, interval, order, what);
          if (what === 'hit') this.#noteHitless(task, interval, order, sought);
          return sought;
        },
        loadAt: (at) => this.#loadAt(task, at),
      });
    });
  }

  /** Notes the part of a range that has no hit, if every container was read there. */
  #noteHitless({ view, abort }: Task, interval: Interval, order: SeekOrder, sought: Sought): void {
    if (abort.signal.aborted || this.#lacking(view).length + heldCoverage(view.log).failedSources > 0) return;
    if (sought.kind === 'none') view.searcher.noteHitless(interval);
    else if (sought.kind === 'found') {
      // The hits at exactly that time are loaded next.
      const { at } = sought;
      const range =
        order === 'newest' ? { from: at, to: interval.to } : { from: interval.from, to: nextTime(at) };
      view.searcher.noteHitless(range);
    } else sought.kind satisfies 'unread';
  }

  async findFact(message: FindFact): Promise<void> {
    await this.#ask(message, (task) =>
      findFact(task.view.log, this.#options.facts, message, {
        isWanted: () => !task.abort.signal.aborted,
        loadAt: (at) => this.#loadAt(task, at),
      }),
    );
  }

  /** Goes to the newest line that all filters accept. */
  async showMatch(message: ShowMatch): Promise<void> {
    await this.#ask(message, async (task) => {
      task.view.log.showWithheld();
      const sought = await this.#seekFor(task, this.#options.range(), 'newest', 'shown');
      if (sought.kind === 'unread') return { ...NOTHING, unread: sought.unread };
      if (sought.kind === 'none') return { ...NOTHING, isExact: true };
      sought.kind satisfies 'found';
      await this.#loadAt(task, sought.at);
      return lastShown(task.view, sought.at);
    });
  }

  /** Searches lines that are not loaded, under all filters, without a question from a person. */
  async seek(
    interval: Interval,
    order: SeekOrder,
    what: Sight,
    { signal, without: leftOut = [] }: { readonly signal: AbortSignal; readonly without?: readonly string[] },
  ): Promise<Sought> {
    const view = this.#options.view();
    if (view.plan === undefined) return { kind: 'none' };
    const { api, clock, nextQuery } = this.#options;
    const { context, sources, readsRotated } = view.plan;
    const without = [...new Set([...this.#refused(view), ...leftOut])];
    const { plan, isGrouping: grouping } = view;
    const within = intervalOf(plan);
    const options = {
      api,
      clock,
      context,
      sources,
      readsRotated,
      within,
      grouping,
      without,
      signal,
      nextQuery,
    };
    return seekLine(options, interval, order, soughtLine(what, view.searcher, view.fields.filters));
  }

  async #ask(message: Question, run: (task: Task) => Promise<Found>): Promise<void> {
    if (message.type !== 'find-fact' && message.goOn === true)
      for (const source of this.#unread?.unread.failed ?? []) this.#without.set(source.id, source);
    this.#end(false);
    const task: Task = {
      abort: new AbortController(),
      view: this.#options.view(),
      status: { what: wantedOf(message), lines: 0, bytes: 0, containersDone: 0, containers: 0 },
      reportedMs: Number.NEGATIVE_INFINITY,
      isStopped: false,
    };
    this.#task = task;
    await unlessStopped(task.view.loads.untilOpen, task.abort.signal);
    const found = await run(task);
    if (this.#task === task) {
      this.#task = undefined;
      this.#options.onChange();
    }
    const answer = this.#answer(message, task, found);
    if (message.type === 'find' && message.what === 'hit') this.#lastHit = answer.entry ?? this.#lastHit;
    this.#options.send(answer);
  }

  #answer(message: Question, task: Task, found: Found): FoundAnswer {
    const { entry, searchedBackTo, isExact, unread } = found;
    const isAborted = task.abort.signal.aborted;
    const isOfFacts = message.type === 'find-fact';
    const lacking = isOfFacts ? [] : this.#lacking(task.view);
    const lackingSources = isOfFacts ? 0 : heldCoverage(task.view.log).failedSources;
    const isWhole = lacking.length === 0 && lackingSources === 0;
    return {
      type: 'found',
      request: message.request,
      entry: isAborted ? undefined : entry,
      searchedBackTo: isAborted ? undefined : searchedBackTo,
      isExact: !isAborted && isExact && isWhole,
      ...(!isOfFacts && this.#isBesideGap(message, task.view) ? { hasGaps: true } : {}),
      ...(unread === undefined ? {} : { unread: this.#rangeOf(unread, message, task.view, isWhole) }),
      ...(isWhole ? {} : { lacking, lackingSources }),
      ...(task.isStopped ? { isStopped: true, bytes: task.status.bytes, lines: task.status.lines } : {}),
      ...(isAborted && !task.isStopped ? { isReplaced: true } : {}),
    };
  }

  /**
   * Where a nearer line may be. `isWhole`: the loaded part has all containers; otherwise the line may also be between the
   * row where the search began and that part's end.
   */
  #rangeOf(unread: Unread, message: Question, { log: { store } }: FinderView, isWhole: boolean): UnreadRange {
    const range = rangeOf(unread);
    if (isWhole || message.type !== 'find') return range;
    const { from, direction } = message;
    const atMs = from === undefined || !store.isHeld(from) ? undefined : timestampToMs(store.time(from));
    return direction === 'next' ? { ...range, fromMs: atMs } : { ...range, toMs: atMs };
  }

  /** Whether lines are missing in the direction of a search. */
  #isBesideGap(message: Find | ShowMatch, { log: { store } }: FinderView): boolean {
    const { from, direction } = message.type === 'find' ? message : { from: undefined, direction: undefined };
    const at = from === undefined || !store.isHeld(from) ? undefined : store.time(from);
    return this.#options.gaps().some(({ isLost, from: begin, to: end }) => {
      if (at === undefined || direction === undefined) return true;
      if (direction === 'next') return end === undefined || compareTimestamps(end, at) > 0;
      return isLost || begin === undefined || compareTimestamps(begin, at) < 0;
    });
  }

  /** Accepted containers that were not read completely: a found line says nothing about them. */
  #lacking(view: FinderView): readonly string[] {
    const { log, searcher } = view;
    const names = new Map<string, string>();
    for (const source of log.store.sources.all) {
      const { kind } = conditionOf(log, source);
      const isUnread =
        log.late.has(source.wire.id) || kind === 'unanswered' || kind === 'forbidden' || kind === 'failed';
      if (isUnread && !source.isLeftOut && allowsSource(searcher.facets, source))
        names.set(source.wire.id, nameOf(source.wire));
    }
    for (const source of this.#without.values())
      if (allowsSource(searcher.facets, { wire: source })) names.set(source.id, nameOf(source));
    return [...names.values()];
  }

  async #loadFrom(
    task: Task,
    gap: EntryId | 'older' | 'newer',
    direction: Find['direction'],
  ): Promise<boolean | undefined> {
    const { loads, log } = task.view;
    const { signal } = task.abort;
    const before = log.store.lines;
    this.#report(task);
    const load =
      typeof gap === 'string'
        ? loads.page(gap, FIND_LINES, signal)
        : loads.missingFrom(gap, direction === 'next' ? 'start' : 'end', FIND_LINES, signal);
    const hasMore = await unlessStopped(load, signal);
    const lines = task.status.lines + Math.max(0, log.store.lines - before);
    task.status = { ...task.status, lines };
    return hasMore;
  }

  #loadAt({ abort, view }: Task, at: Timestamp): Promise<unknown> {
    return unlessStopped(view.loads.jump({ at: 'time', ...at }, abort.signal), abort.signal);
  }

  async #seekFor(task: Task, interval: Interval, order: SeekOrder, what: Sight): Promise<Sought> {
    const { searcher, fields, plan } = task.view;
    if (plan === undefined) return { kind: 'none' };
    const { api, clock, nextQuery } = this.#options;
    const { context, sources, readsRotated } = plan;
    const without = [...new Set([...this.#refused(task.view), ...this.#without.keys()])];
    const { facets, search, isOnly } = searcher;
    const key = JSON.stringify([
      context,
      sources,
      readsRotated,
      interval,
      order,
      what,
      facets,
      search,
      isOnly,
      fields.filters,
      task.view.isGrouping,
    ]);
    const known = this.#unread?.key === key ? this.#unread.unread : undefined;
    this.#report(task);
    const sought = await seekLine(
      {
        api,
        clock,
        context,
        sources,
        readsRotated,
        within: intervalOf(plan),
        grouping: task.view.isGrouping,
        without,
        nextQuery,
        signal: task.abort.signal,
        onProgress: (progress) => {
          task.status = { ...task.status, ...progress };
          if (clock.steady() - task.reportedMs >= PROGRESS_MS) this.#report(task);
        },
      },
      known?.left ?? interval,
      order,
      soughtLine(what, searcher, fields.filters),
      known?.span,
    );
    this.#unread = sought.kind === 'unread' ? { key, unread: sought.unread } : undefined;
    return sought;
  }

  #report(task: Task | undefined): void {
    if (task === undefined) return;
    task.reportedMs = this.#options.clock.steady();
    this.#options.onChange();
  }

  /** Containers that the facets refuse, so that nothing of them is shown. */
  #refused({ log, searcher: { facets } }: FinderView): string[] {
    return log.store.sources.all
      .filter((source) => !allowsContainer(facets, source))
      .map(({ wire }) => wire.id);
  }
}

function intervalOfGap(
  { log: { edges, store }, plan }: FinderView,
  gap: EntryId | 'older' | 'newer',
): Interval | 'held' | undefined {
  if (typeof gap === 'number') {
    const range = store.missing.get(gap);
    return range && intervalOf(range);
  }
  const edge = edges[gap];
  if (edge === 'unknown') return undefined;
  if (typeof edge === 'string') return 'held';
  return intervalOf(gap === 'older' ? { from: plan?.from, to: edge } : { from: edge, to: plan?.to });
}

/** Resolves with a load's result, or with undefined once the search is stopped, without waiting for running loads. */
export function unlessStopped<T>(load: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    load.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function wantedOf(message: Question): FindStatus['what'] {
  if (message.type === 'find') return message.what;
  return message.type === 'find-fact' ? 'event' : 'line';
}

function nameOf({ pod, container }: LogSource): string {
  return `${pod}/${container}`;
}

function rangeOf({ failed, left, bytes }: Unread): UnreadRange {
  return {
    // A container has several runs.
    containers: [...new Set(failed.map(nameOf))],
    fromMs: left.from && timestampToMs(left.from),
    toMs: left.to && timestampToMs(left.to),
    bytes,
  };
}

/** The last line that the view shows at a time that was loaded. */
function lastShown({ log: { view, store } }: FinderView, at: Timestamp): Found {
  view.settle();
  view.refresh();
  const entry = view.at(view.indexAt(store.positionOf(nextTime(at))) - 1);
  const isLoaded = entry !== undefined && compareTimestamps(store.time(entry), at) === 0;
  return isLoaded ? { ...NOTHING, entry, isExact: true } : NOTHING;
}

/** What to find: a hit, an error, a warning, or any shown line. */
type Sight = Extract<ToWorker, { readonly type: 'find' }>['what'] | 'shown';

/** Undefined: any level. */
const LEVELS_OF: Readonly<Record<Sight, readonly CountedLevel[] | undefined>> = {
  error: LEVELS.slice(0, LEVELS.indexOf('error') + 1),
  warn: ['warn'],
  hit: undefined,
  shown: undefined,
};

/** The line to find, as a scan describes it: the filters of the view apply to it too. */
function soughtLine(what: Sight, searcher: Searcher, fields: readonly FieldFilter[]): SoughtLine {
  const { facets, isOnly, search } = searcher;
  const levels = COUNTED_LEVELS.filter(
    (level) => LEVELS_OF[what]?.includes(level) !== false && allows(facets, 'level', level),
  );
  return {
    search: what === 'hit' || isOnly ? search : undefined,
    fields,
    levels: levels.length === COUNTED_LEVELS.length ? undefined : levels,
    accepts: (source) => allowsSource(facets, { wire: source }),
  };
}
