import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiClient } from '../../../contract/client.ts';
import { positionOf } from '../../../domain/facts/fact.ts';
import { serverClock } from '../../frame/server-clock.ts';
import { type CountedView, hasReadNothing } from '../coverage/counted-view.ts';
import { allGaps, uncountedGaps } from '../coverage/known-gaps.ts';
import { OnsetSearch } from '../coverage/onset-search.ts';
import type { RangeScan } from '../coverage/range-scan.ts';
import { loadedStatusOf, scanStatusOf } from '../coverage/scan-status.ts';
import type { ViewScan } from '../coverage/view-scan.ts';
import { ViewScans } from '../coverage/view-scans.ts';
import { Follower } from '../intake/follower.ts';
import { Loads, PAGE_LINES } from '../intake/loads.ts';
import { Rate } from '../intake/rate.ts';
import { COUNTED_LINES, type FilledView, ScreenFill } from '../intake/screen-fill.ts';
import { intervalOf } from '../known/missing.ts';
import type { Limits } from '../protocol/limits.ts';
import type {
  BufferStatus,
  EntryId,
  FacetCounts,
  FromWorker,
  HitOrdinal,
  MissingField,
  ScanStatus,
  ToWorker,
  ViewPlan,
} from '../protocol/protocol.ts';
import { applyFilter } from '../search/apply-filter.ts';
import { ChosenRuns } from '../search/chosen-runs.ts';
import { CountedRows } from '../search/counted-rows.ts';
import { countFacets } from '../search/facet-counts.ts';
import { allowsSource, facetPredicate, isByRun } from '../search/facet-filter.ts';
import { FieldSearcher } from '../search/field-searcher.ts';
import { Finder, unlessStopped } from '../search/finder.ts';
import { ordinalOfHit } from '../search/hit-ordinal.ts';
import { findMissingField } from '../search/missing-field.ts';
import { Searcher } from '../search/searcher.ts';
import { HeldLog, type KnownContainer } from '../store/held-log.ts';
import { factIdOf } from '../store/link.ts';
import { changedSources, isSameView, withoutSources } from '../store/plan-change.ts';
import { answerAll, answerHistogram, answerRange, answerRows, answerText, answerWhole } from './answers.ts';
import { makeStatus } from './buffer-status.ts';
import { FactView } from './fact-view.ts';
import { Reporter } from './reporter.ts';

type Message<T extends ToWorker['type']> = Extract<ToWorker, { readonly type: T }>;

export interface SessionOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly limits: Limits;
  send(message: FromWorker): void;
}

/** The rate of errors is of this time, s: errors come in bursts, and the tab's title should not flicker. */
const ERROR_SECONDS = 10;

/** Does all of the worker's work, without being a worker itself: messages in, messages out. */
export class LogSession {
  readonly #options: SessionOptions;
  readonly #rate: Rate;
  readonly #errorRate: Rate;
  readonly #reporter: Reporter;
  #log: HeldLog;
  #loads: Loads;
  #plan: ViewPlan | undefined;
  /** The containers of the view before, which had the same sources. */
  #earlier: readonly KnownContainer[] = [];
  #follower: Follower | undefined;
  #searcher: Searcher;
  #fields: FieldSearcher;
  readonly #scans: ViewScans;
  readonly #facts: FactView;
  readonly #onset: OnsetSearch;
  readonly #finder: Finder;
  readonly #fill: ScreenFill;
  readonly #countedRows = new CountedRows({
    view: () => this.#filled,
    seek: (interval, without, signal) => this.#finder.seek(interval, 'newest', 'shown', { signal, without }),
    onRows: () => this.#fill.renew(COUNTED_LINES),
  });
  readonly #chosenRuns = new ChosenRuns({
    view: () => this.#filled,
    range: () => intervalOf(this.#plan ?? {}),
    seek: (interval, signal) => this.#finder.seek(interval, 'newest', 'shown', { signal }),
    onRows: () => this.#fill.renew(),
    onChange: () => this.#reporter.changed(),
  });
  #scanStatus: ScanStatus | undefined;
  #hitStatus: ScanStatus | undefined;
  #ordinal: HitOrdinal | undefined;
  #missingField: MissingField | undefined;
  #connection: BufferStatus['connection'] = { state: 'connecting' };
  #queries = 0;
  /** Stops the last jump. */
  #stopJump: AbortController | undefined;
  /** Number of views, filters and searches received. */
  #asked = 0;
  /** The inputs of the counts that were sent last. */
  #summarized: readonly unknown[] = [];
  #version = 0;
  #isPaused = false;
  #isGrouping = false;
  #foldsEqual = false;
  #isResting = false;
  #around: EntryId | undefined;
  /** Number of containers that had not answered at the last check. */
  #unanswered = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#rate = new Rate(options.clock);
    this.#errorRate = new Rate(options.clock, ERROR_SECONDS);
    this.#log = new HeldLog(options.limits);
    this.#loads = this.#makeLoads();
    this.#searcher = new Searcher(this.#log, this.#onSearch);
    this.#fields = new FieldSearcher(this.#log, this.#onSearch);
    this.#facts = new FactView({
      api: options.api,
      clock: options.clock,
      nextQuery: () => this.#queries++,
      onChange: () => this.#reporter.changed(),
      onSignedOut: (error) => options.send({ type: 'signed-out', error }),
    });
    this.#facts.attach(this.#log);
    this.#scans = this.#makeScans();
    this.#finder = new Finder({
      api: options.api,
      clock: options.clock,
      nextQuery: () => this.#queries++,
      view: () => ({
        log: this.#log,
        loads: this.#loads,
        searcher: this.#searcher,
        fields: this.#fields,
        plan: this.#plan,
        isGrouping: this.#isGrouping,
      }),
      facts: this.#facts,
      gaps: () => allGaps(this.#log, this.#counted()),
      range: () => this.#scans.shown.scan?.range ?? { from: undefined, to: undefined },
      send: options.send,
      onChange: () => this.#reporter.changed(),
    });
    this.#onset = new OnsetSearch(
      async (interval, signal) => {
        const sought = await this.#finder.seek(interval, 'oldest', 'error', { signal });
        return sought.kind === 'found' ? sought.at : undefined;
      },
      () => this.#reporter.changed(),
    );
    this.#fill = new ScreenFill(() => this.#filled);
    this.#reporter = new Reporter({
      clock: options.clock,
      send: options.send,
      log: () => this.#log,
      plan: () => this.#plan,
      status: () => this.#status(),
      facets: () => this.#summary(),
      isSummaryOld: () => this.#countBasis.some((each, index) => each !== this.#summarized[index]),
    });
  }

  #makeScans(): ViewScans {
    return new ViewScans({
      api: this.#options.api,
      clock: this.#options.clock,
      nextQuery: () => this.#queries++,
      holdsAll: () => this.#holdsAll,
      isLoading: () => ['opening', 'jumping'].includes(this.#loads.loading),
      hasAnswered: (id) => this.#log.hasAnswered(id),
      onChange: () => this.#reporter.changed(),
    });
  }

  get #filled(): FilledView {
    const settled = () => Promise.all([this.#searcher.settled(), this.#fields.settled()]);
    return { log: this.#log, loads: this.#loads, settled };
  }

  /** The time of the server, on whose clock a range ends now. */
  get #serverNowMs(): number {
    return this.#options.clock.now() - serverClock.aheadMs;
  }

  get #holdsAll(): boolean {
    const { edges, store } = this.#log;
    const isWhole = edges.older === 'beginning' && edges.newer === 'now';
    return isWhole && store.missing.size === 0 && !this.#log.lacksContainers;
  }

  take(message: Exclude<ToWorker, { readonly type: 'start' | 'token' }>): void {
    switch (message.type) {
      case 'view':
        this.#setPlan(message.plan);
        break;
      case 'facets':
      case 'search':
      case 'facts':
        this.#choose(message);
        break;
      case 'viewport':
      case 'load':
      case 'load-missing':
      case 'jump':
        this.#scroll(message);
        break;
      case 'pause':
        this.#pause(message.paused);
        break;
      case 'find':
      case 'find-fact':
      case 'show-match':
      case 'stop-find':
        this.#goTo(message);
        break;
      case 'pins':
        void this.#readPins(message);
        break;
      case 'group':
      case 'fold-equal':
      case 'fold':
        this.#changeRecords(message);
        break;
      case 'around':
        this.#around = message.entry;
        this.#changeFilter();
        break;
      case 'read-rest':
      case 'retry-now':
        this.#readNow(message.type);
        break;
      case 'rest':
      case 'rest-facts':
        this.#rest(message);
        break;
      case 'close':
        this.close();
        break;
      case 'all':
      case 'histogram':
      case 'range':
      case 'rows':
      case 'text':
      case 'whole':
        this.#options.send(this.#answerOf(message));
        break;
      default:
        message satisfies never;
    }
  }

  #scroll(message: Message<'viewport' | 'load' | 'load-missing' | 'jump'>): void {
    switch (message.type) {
      case 'viewport':
        this.#setViewport(message);
        break;
      case 'load':
        void this.#fill.reach(message.what);
        break;
      case 'load-missing':
        void this.#loads.missing(message.entry);
        break;
      case 'jump':
        void this.#jump(message);
        break;
      default:
        message satisfies never;
    }
  }

  #readNow(what: 'read-rest' | 'retry-now'): void {
    if (what === 'read-rest') {
      if (isByRun(this.#searcher.facets)) this.#chosenRuns.readRest(this.#searcher.facets);
      else this.#scans.readRest();
    } else {
      this.#follower?.retryNow();
      this.#facts.retryNow();
    }
  }

  /** Chooses what of the view is shown. */
  #choose(message: Message<'facets' | 'search' | 'facts'>): void {
    if (message.type === 'facets') this.#setFacets(message.filter);
    else if (message.type === 'search') this.#setSearch(message.plan);
    else {
      message.type satisfies 'facts';
      this.#facts.setChoice(message.choice);
    }
    if (message.type !== 'facts') this.#fill.renew();
  }

  #setSearch(plan: Message<'search'>['plan']): void {
    this.#asked++;
    this.#searcher.set(plan);
  }

  #setFacets(filter: Message<'facets'>['filter']): void {
    this.#asked++;
    this.#searcher.setFacets(filter);
    this.#fields.setFilters(filter.fields);
    this.#changeFilter();
  }

  #rest({ type, isResting }: Message<'rest' | 'rest-facts'>): void {
    if (type === 'rest-facts') {
      this.#facts.restFacts(isResting);
      return;
    }
    this.#isResting = isResting;
    this.#follower?.rest(isResting);
    this.#loads.rest(isResting);
    this.#facts.rest(isResting);
  }

  /** Answers a question about what is held. */
  #answerOf(message: Message<'rows' | 'text' | 'range' | 'all' | 'whole' | 'histogram'>): FromWorker {
    switch (message.type) {
      case 'rows':
        return answerRows(this.#log, message, this.#indexVersion, this.#searcher.hitsIn);
      case 'text':
        return answerText(this.#log, message);
      case 'range':
        return answerRange(this.#log, message);
      case 'all':
        return answerAll(this.#log, message);
      case 'whole':
        return answerWhole(this.#log, message);
      case 'histogram':
        return answerHistogram(this.#log, message, this.#counted(), {
          facts: this.#facts.rows,
          filter: this.#searcher.facets,
          loadedRange: this.#scanInVain(this.#scans.shown)?.range,
          nowMs: this.#serverNowMs,
        });
    }
  }

  close(): void {
    this.#reporter.close();
    for (const task of [this.#loads, this.#follower, this.#searcher, this.#fields]) task?.close();
    this.#scans.close();
    this.#facts.close();
    this.#finder.reset();
    this.#onset.close();
    this.#countedRows.close();
    this.#chosenRuns.close();
  }

  #setPlan(plan: ViewPlan): void {
    this.#asked++;
    const before = this.#plan;
    this.#plan = plan;
    this.#scans.setPlan(plan);
    this.#facts.setPlan(plan);
    if (before === undefined || !isSameView(before, plan)) {
      this.#openAnew(plan, before);
      return;
    }
    const { added, removed } = changedSources(before, plan);
    if (removed.length > 0) withoutSources(this.#log, plan.sources);
    if (added.length > 0 && this.#log.store.lines === 0) this.#openAnew(plan, before);
    else if (added.length + removed.length > 0) this.#changeSources(plan, added);
    else if (before.follow !== plan.follow) this.#changeFollowing(plan);
    // The page waits for the answer even if nothing changed.
    this.#reporter.changed();
  }

  /** Opens a view from scratch: the held lines have another context, range or sources, or no lines are held. */
  #openAnew(plan: ViewPlan, before: ViewPlan | undefined): void {
    for (const task of [this.#loads, this.#follower, this.#searcher, this.#fields]) task?.close();
    this.#version += this.#log.store.order.moves + this.#log.groups.changes;
    const isWanted = ({ wire }: KnownContainer) => wire.arguments.some((name) => plan.sources.includes(name));
    const earlier = before?.context === plan.context ? this.#log.containers.filter(isWanted) : [];
    // Of a view that has an end, or does not follow, nobody knows what its containers have written since.
    const isFollowed = this.#connection.state === 'live';
    this.#earlier = isFollowed ? earlier : earlier.map((each) => ({ ...each, newest: undefined }));
    this.#log = new HeldLog(this.#options.limits, this.#log.store.table.nextId);
    for (const each of this.#earlier) if (each.isGone) this.#log.takeGone(each);
    this.#facts.attach(this.#log);
    this.#log.store.withholding = this.#isPaused;
    this.#log.groups.isOn = this.#isGrouping;
    this.#log.view.foldsEqual = this.#foldsEqual;
    this.#loads = this.#makeLoads();
    this.#searcher = new Searcher(this.#log, this.#onSearch, this.#searcher);
    this.#fields = new FieldSearcher(this.#log, this.#onSearch, this.#fields);
    this.#around = undefined;
    this.#finder.reset();
    this.#applyFilter();
    this.#follower = this.#makeFollower(plan);
    this.#follower.open();
    this.#fill.renew();
    this.#moved();
  }

  #changeFollowing(plan: ViewPlan): void {
    this.#follower?.setPlan(plan);
    if (!plan.follow) this.#follower?.stop();
    // A range with an end has no later lines.
    else if (plan.to === undefined && this.#log.edges.newer === 'now') this.#follower?.resume();
    this.#reporter.changed();
  }

  #changeSources(plan: ViewPlan, added: readonly string[]): void {
    const { edges } = this.#log;
    const isLive = plan.follow && plan.to === undefined && edges.newer === 'now';
    this.#follower?.setPlan(plan);
    if (isLive || edges.older === 'unknown') this.#follower?.resumeWith(added);
    else if (added.length > 0) void this.#loads.added(added);
    this.#moved();
  }

  #makeLoads(): Loads {
    const log = this.#log;
    return new Loads({
      api: this.#options.api,
      clock: this.#options.clock,
      log,
      isResting: this.#isResting,
      plan: () => {
        if (this.#plan === undefined) throw new Error('no view is open');
        return this.#plan;
      },
      nextQuery: () => this.#queries++,
      onChange: () => {
        this.#scans.updateLater(log);
        this.#scans.readAnswered();
        log.trim();
        this.#moved();
        void this.#fill.goOn();
      },
      onReachedNow: () => {
        this.#scans.readOn();
        if (this.#plan?.follow !== true || this.#plan.to !== undefined) return;
        log.recountNewest();
        this.#follower?.resume();
      },
    });
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
      isResting: this.#isResting,
      nextQuery: () => this.#queries++,
      onLines: (count, errors) => {
        if (count > 0) this.#rate.add(count);
        // A row may now represent more lines.
        if (count > 0 && log.view.foldsEqual) this.#version++;
        if (errors > 0) this.#errorRate.add(errors);
        this.#scans.updateLater(log);
        log.trim();
        this.#reporter.changed();
      },
      onOpened: () => {
        this.#loads.opened();
        log.factPositions.open();
        const isLive = plan.follow && plan.to === undefined && log.edges.newer === 'now';
        if (!isLive && log.unanswered.size > 0) void this.#loads.unanswered();
        this.#reporter.changed();
        // The rows in view may have come before the end of the window, which tells what can be loaded.
        void this.#fill.goOn();
      },
      onChange: () => {
        this.#onAnswers();
        this.#reporter.changed();
      },
      onConnection: (connection) => {
        this.#connection = connection;
        this.#reporter.changed();
      },
      onSignedOut: (error) => send({ type: 'signed-out', error }),
    });
  }

  readonly #onSearch = (): void => {
    this.#applyFilter();
    this.#log.view.settle();
    this.#moved();
    void this.#fill.goOn();
  };

  #changeRecords(message: Message<'group' | 'fold-equal' | 'fold'>): void {
    const { groups, view } = this.#log;
    if (message.type === 'group') {
      this.#isGrouping = message.isOn;
      groups.isOn = message.isOn;
    } else if (message.type === 'fold-equal') {
      this.#foldsEqual = message.isOn;
      view.foldsEqual = message.isOn;
    } else {
      message.type satisfies 'fold';
      groups.fold(message.entry, message.isFolded);
    }
    this.#changeFilter();
  }

  #changeFilter(): void {
    this.#applyFilter();
    this.#log.view.invalidate();
    this.#moved();
  }

  #applyFilter(): void {
    applyFilter(this.#log, this.#searcher, this.#fields, {
      isAround: this.#around !== undefined,
      isPaused: this.#isPaused,
    });
    const { search, isOnly } = this.#searcher;
    const { filters } = this.#fields;
    this.#scans.setFilter({ search, isOnly, fields: filters, grouping: this.#isGrouping });
  }

  /** The scan that the counts come from; undefined: they come from the held lines. */
  #countingScan({ scan }: ViewScan): RangeScan | undefined {
    // Scans count by container, regardless of its runs.
    if (isByRun(this.#searcher.facets)) return undefined;
    if (scan === undefined || this.#isInVain(scan)) return undefined;
    // A scan that failed or stopped before its first line still shows what was not read.
    return scan.state === 'reading' && scan.counts.bucketMs === undefined ? undefined : scan;
  }

  /** The scan that has read nothing, so that the counts come from the held lines; undefined: another case. */
  #scanInVain({ scan }: ViewScan): RangeScan | undefined {
    const isInVain = scan !== undefined && !isByRun(this.#searcher.facets) && this.#isInVain(scan);
    return isInVain ? scan : undefined;
  }

  #isInVain(scan: RangeScan): boolean {
    return this.#log.store.lines > 0 && hasReadNothing(scan);
  }

  /** The counting scan, as the view shows it. */
  #counted(of = this.#scans.shown): CountedView | undefined {
    const scan = this.#countingScan(of);
    if (scan === undefined) return undefined;
    const { sources } = this.#log.store;
    for (const source of scan.counts.sources.values()) sources.introduce(source);
    if (scan.hasListed) this.#takeVanished(scan.counts.sources);
    const { facets, isOnly } = this.#searcher;
    const refused = new Set(
      sources.all.filter((source) => !allowsSource(facets, source)).map(({ wire }) => wire.id),
    );
    return {
      scan,
      onlyMatches: isOnly || scan.hasFields,
      wanted: facetPredicate(sources, facets),
      isWanted: (id) => !refused.has(id),
      isLive: this.#connection.state === 'live' && this.#log.edges.newer === 'now',
      followedToMs: this.#log.followedToMs,
    };
  }

  /** Takes in as gone the containers of the view before that neither this view nor a scan (`found`) found any more. */
  #takeVanished(found?: ReadonlyMap<string, unknown>): void {
    const { sources } = this.#log.store;
    for (const each of this.#earlier) {
      const isKnown = found?.has(each.wire.id) === true || sources.has(each.wire.id);
      if (!isKnown) this.#log.takeGone(each);
    }
    this.#earlier = [];
  }

  /** Whether the view has named every container that exists: it is open, and no source argument failed. */
  get #hasListed(): boolean {
    const { edges, problems } = this.#log;
    const hasFailed = [...problems.values()].some(({ isOfSource }) => isOfSource === true);
    return edges.older !== 'unknown' && this.#loads.loading === 'none' && !hasFailed;
  }

  /** The inputs of the counts while arriving lines change only the counts. */
  get #countBasis(): readonly unknown[] {
    const { facets, search, isOnly, status } = this.#searcher;
    const scan = this.#countingScan(this.#scans.shown);
    const hitScan = this.#countingScan(this.#scans.hits);
    const { edges, store, unanswered, late } = this.#log;
    const isWhole = edges.older === 'beginning' && edges.newer === 'now' && store.missing.size === 0;
    const intake = [this.#connection.state, this.#loads.loading, isWhole, unanswered.size, late.size];
    const ofHeld =
      scan === undefined && [...intake, isOnly && status.state, this.#chosenRuns.state].join(' ');
    const inVain = this.#scanInVain(this.#scans.shown);
    const { lastHit } = this.#finder;
    const filters = [facets, search, isOnly, this.#fields.filters, this.#isGrouping];
    return [this.#log, scan ?? inVain, hitScan, ...filters, lastHit, ofHeld];
  }

  #summary(): FacetCounts {
    this.#summarized = this.#countBasis;
    if (this.#earlier.length > 0 && this.#hasListed) this.#takeVanished();
    const counted = this.#counted();
    this.#onset.update(this.#log, counted);
    this.#scanStatus = this.#statusOf(this.#scans.shown, this.#onset.at);
    this.#countedRows.update(this.#asked, counted, this.#scanStatus);
    this.#chosenRuns.update(this.#asked, this.#searcher.facets);
    this.#hitStatus = this.#statusOf(this.#scans.hits, undefined);
    const countedHits = this.#hitStatus ?? this.#scanStatus;
    this.#ordinal = this.#ordinalAmong(countedHits, counted);
    const { hits = 0 } = countedHits ?? {};
    const isFound = this.#log.view.count('hits') > 0 || hits > 0;
    const { store } = this.#log;
    this.#missingField = isFound ? undefined : findMissingField(store, this.#searcher.search);
    return countFacets(this.#log, this.#searcher.facets, counted);
  }

  /** The gaps are costly to find, so they are asked for only if a hit was found. */
  #ordinalAmong(hits: ScanStatus | undefined, counted: CountedView | undefined): HitOrdinal | undefined {
    const { lastHit } = this.#finder;
    if (lastHit === undefined || hits?.hits === undefined) return undefined;
    return ordinalOfHit(this.#log, hits, uncountedGaps(this.#log, counted), lastHit);
  }

  /** Undefined: there is no scan, so that the counts are those of the loaded lines. */
  #statusOf(of: ViewScan, errorsBegin: ScanStatus['errorsBegin']): ScanStatus | undefined {
    const inVain = this.#scanInVain(of);
    if (inVain !== undefined) return loadedStatusOf(this.#log, inVain);
    const counted = this.#counted(of);
    return counted && scanStatusOf(this.#log, counted, errorsBegin);
  }

  #pause(paused: boolean): void {
    if (paused === this.#isPaused) return;
    this.#isPaused = paused;
    this.#facts.pause(paused);
    this.#log.release(paused);
    this.#changeFilter();
  }

  #setViewport({ first, last, isByReader }: Message<'viewport'>): void {
    const hasMoved = this.#log.reader !== first;
    this.#log.reader = first;
    this.#log.readerLast = last;
    if (hasMoved) this.#loads.nearReader(first, last);
    if (isByReader === true) this.#fill.renew();
    else void this.#fill.goOn();
  }

  /** Reads what the held part lacks of containers that have answered. */
  #onAnswers(): void {
    const { size } = this.#log.unanswered;
    const hasAnswers = size < this.#unanswered;
    this.#unanswered = size;
    if (!hasAnswers) return;
    this.#loads.retryLate();
    this.#scans.readAnswered();
  }

  async #jump({ request, to }: Message<'jump'>): Promise<void> {
    const log = this.#log;
    const fact = to.at === 'line' ? factIdOf(to.link) : undefined;
    const stop = new AbortController();
    this.#stopJump = stop;
    const jumping = fact === undefined ? this.#loads.jump(to, stop.signal) : this.#jumpToFact(fact);
    const entry = await unlessStopped(jumping, stop.signal);
    // Shows the line of a link even in a folded record; the row of a fold shows its first line.
    log.view.refresh();
    const head =
      entry === undefined || to.at !== 'line'
        ? undefined
        : (log.groups.headOf(entry) ?? log.view.equalTo(entry)?.[0]);
    if (head !== undefined && head !== entry) {
      log.groups.fold(head, false);
      this.#changeFilter();
    }
    const error = entry === undefined ? log.problems.get('load')?.error : undefined;
    const isStopped = entry === undefined && stop.signal.aborted;
    this.#options.send({ type: 'jumped', request, entry, error, ...(isStopped ? { isStopped } : {}) });
  }

  /** Goes to the row of a fact, where its lines are loaded first. */
  async #jumpToFact(id: string): Promise<EntryId | undefined> {
    const log = this.#log;
    const row = await this.#facts.rowOf(id);
    if (row === undefined || log !== this.#log) return undefined;
    await this.#loads.jump({ at: 'time', ...positionOf(row.fact) });
    log.view.refresh();
    const entry = log.factPositions.entryOf(row.fact.id);
    return entry !== undefined && log.store.isHeld(entry) ? entry : undefined;
  }

  async #readPins({ request, links }: Message<'pins'>): Promise<void> {
    const lines = await this.#loads.pinned(links);
    if (lines !== undefined) this.#options.send({ type: 'pinned', request, lines });
  }

  /** Goes to a line that a person asks for, until they ask for another one. */
  #goTo(message: Message<'find' | 'find-fact' | 'show-match' | 'stop-find'>): void {
    switch (message.type) {
      case 'find':
        void this.#finder.find(message);
        return;
      case 'find-fact':
        void this.#finder.findFact(message);
        return;
      case 'show-match':
        void this.#finder.showMatch(message);
        return;
      case 'stop-find':
        this.#finder.stop();
        this.#stopJump?.abort();
        return;
      default:
        message satisfies never;
    }
  }

  /** Changes whenever indexes may have moved. */
  get #indexVersion(): number {
    return this.#version + this.#log.store.order.moves + this.#log.groups.changes;
  }

  /** Marks the indexes as changed. */
  #moved(): void {
    this.#version++;
    this.#reporter.changed();
  }

  #status(): BufferStatus {
    this.#applyFilter();
    return makeStatus(this.#log, this.#searcher, this.#counted(), {
      end: { nowMs: this.#serverNowMs, to: this.#plan && intervalOf(this.#plan).to },
      version: this.#indexVersion,
      asked: this.#asked,
      loading: this.#loads.loading,
      connection: this.#connection,
      facts: this.#facts.status,
      scan: this.#scanStatus,
      hitScan: this.#hitStatus,
      isCountCut: this.#scans.shown.isCut,
      runSearch: this.#chosenRuns.state,
      finding: this.#finder.status,
      missingField: this.#missingField,
      ordinal: this.#ordinal,
      lastHit: this.#finder.lastHit,
      receivedPerSecond: this.#rate.perSecond,
      errorsPerSecond: this.#errorRate.perSecond,
    });
  }
}
