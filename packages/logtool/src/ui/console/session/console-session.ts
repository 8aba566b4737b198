import { plainText } from '../../ansi/plain-text.ts';
import { logMessageOf } from '../../messages/log-message-of.ts';
import type {
  BufferStatus,
  EntryId,
  FacetCounts,
  FacetFilter,
  JumpTarget,
  Row,
  SearchPlan,
  ViewPlan,
} from '../../worker/protocol/protocol.ts';
import { type LogWorker, unlessGone } from '../../worker/session/log-worker-client.ts';
import { isSameView } from '../../worker/store/plan-change.ts';
import { type Direction, findNext, noteOfNone, type Wanted, whyStay } from '../scroll/find-next.ts';
import { LogScroller } from '../scroll/log-scroller.ts';
import { RenderRate } from '../scroll/render-rate.ts';
import { Surroundings } from '../scroll/surroundings.ts';
import { type ConsoleState, type Density, FIRST_STATE } from '../state/console-state.ts';
import type { Note } from '../state/note.ts';

/** How often the page around the rows is updated while lines stream, ms. */
const STATUS_MS = 250;
/** How often scrolling beyond an end of the view loads more, ms. */
const REACH_MS = 300;
/** How long a search waits for the rows where the reader just went, in frames of the screen. */
const MAX_ARRIVAL_FRAMES = 120;

interface SessionOptions {
  readonly worker: LogWorker;
  readonly onFrame: (run: () => void) => void;
  readonly nowMs: () => number;
  readonly afterMs: (ms: number, run: () => void) => void;
  readonly density: Density;
  readonly isFollowing: boolean;
  /** Whether the list of pinned lines is open. */
  readonly showsPins?: boolean;
}

interface CopiedText {
  readonly text: string;
  readonly lines: number;
  /** Row.link of the first line. */
  readonly link: string | undefined;
}

/** Notes about what a search for a line found, and where. */
const OF_FINDING: ReadonlySet<Note['code']> = new Set([
  'not-found',
  'none-left',
  'not-all-read',
  'unread',
  'find-stopped',
  'found-without',
]);

/** One open console: its log worker, its rows, and all actions on them. */
export class ConsoleSession {
  readonly worker: LogWorker;
  readonly scroller: LogScroller;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ends: (() => void)[];
  readonly #rate: RenderRate;
  #state: ConsoleState;
  /** The newest status; the state's status is up to STATUS_MS older. */
  #latest: BufferStatus = FIRST_STATE.status;
  /** Shown with the next status, which says what the counts belong to. */
  #facets: FacetCounts = FIRST_STATE.facets;
  #latestFacets: FacetCounts = FIRST_STATE.facets;
  /** Number of views, filters and searches sent. */
  #asked = 0;
  #isTyping = false;
  #notifiedAtMs = Number.NEGATIVE_INFINITY;
  #isNotifyDue = false;
  #arrivedBefore = 0;
  /** Counts new lines again once the worker has taken this request; undefined: no filter changed. */
  #countsNewFrom: number | undefined;
  #isOnly = false;
  #selectFrom: EntryId | undefined;
  /** The running or last request for the lines between two rows. */
  #ranging: Promise<unknown> | undefined;
  #plan: ViewPlan | undefined;
  /** The version of the view before the one that is opening. */
  #openingSince: number | undefined;
  #notes = 0;
  readonly #around: Surroundings;
  /** LogScroller.departures when a row became the active one. */
  #activeSince = 0;
  #reachedAtMs = Number.NEGATIVE_INFINITY;
  /** The running jump. */
  #jumping: Promise<boolean> | undefined;
  /** What the running search looks for. */
  #finding: string | undefined;
  /** Continues the last search. */
  #goOn: (() => Promise<unknown>) | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.worker = options.worker;
    this.scroller = new LogScroller({ ...options, rowPx: options.density });
    this.#around = new Surroundings(this.worker, this.scroller);
    this.#rate = new RenderRate(options.nowMs);
    const { density, isFollowing, showsPins = false } = options;
    this.#state = { ...FIRST_STATE, density, isFollowing, showsPins };
    this.scroller.follow(options.isFollowing);
    this.#ends = [
      this.worker.subscribe('status', ({ status }) => this.#take(status)),
      this.worker.subscribe('sources', ({ sources }) => this.#set({ sources })),
      this.worker.subscribe('facets', ({ facets }) => {
        this.#facets = facets;
      }),
      this.worker.subscribe('problem', ({ problems }) => this.#set({ problems })),
    ];
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  state = (): ConsoleState => this.#state;

  /** What the worker shows; undefined before anything was opened. */
  get plan(): ViewPlan | undefined {
    return this.#plan;
  }

  close(): void {
    for (const end of this.#ends) end();
    this.worker.close();
  }

  /** Notes that the log worker failed: held lines can no longer be read. */
  failed(error: Error): void {
    this.#set({ failure: error.message });
  }

  /** `follows`: how the view opens, unless it only adds or removes sources of the open one. */
  setView(plan: ViewPlan, follows: boolean): void {
    if (plan.sources.length === 0 || plan.context === '') return;
    const before = this.#plan;
    this.#plan = plan;
    this.#asking();
    this.worker.send({ type: 'view', plan });
    if (before !== undefined && isSameView(before, plan)) return;
    if (before !== undefined) this.followAnew(follows);
    this.#openingSince = this.#latest.version;
    if (this.#state.around !== undefined) this.#set({ around: undefined });
    this.scroller.open(plan.from === undefined ? 'end' : (plan.opensAt ?? 'start'));
  }

  /** Whether the held lines still belong to the previous view. */
  get isOpening(): boolean {
    return this.#openingSince !== undefined;
  }

  setFacets(filter: FacetFilter): void {
    this.#asking();
    this.#countNewAgain();
    this.worker.send({ type: 'facets', filter });
  }

  setSearch(plan: SearchPlan): void {
    // What was found belongs to the search before.
    if (this.#state.found !== undefined) this.#set({ found: undefined });
    this.#asking();
    if (plan.only || this.#isOnly) this.#countNewAgain();
    this.#isOnly = plan.only;
    this.worker.send({ type: 'search', plan });
  }

  /** Notes whether a typed search was not sent yet. */
  setTyping(isTyping: boolean): void {
    if (isTyping === this.#isTyping) return;
    this.#isTyping = isTyping;
    this.#set({ isAnswered: this.#isAnswered });
  }

  /** Notes that the page shows older answers until the worker has taken this request. */
  #asking(): void {
    this.#asked++;
    const { note } = this.#state;
    // What a search found or could not read belongs to the view and the filters before.
    this.#set({
      isAnswered: false,
      note: note !== undefined && OF_FINDING.has(note.code) ? undefined : note,
    });
  }

  /** New lines of other filters may not be in the view: counts from when the worker has taken these filters. */
  #countNewAgain(): void {
    this.#countsNewFrom = this.#asked;
  }

  get #isAnswered(): boolean {
    return !this.#isTyping && this.#state.status.asked >= this.#asked;
  }

  /**
   * Stays at the newest line, or at the reader's position. To follow a view that does not reach the present, goes there
   * first. A range with an end has no later lines: goes to its last one.
   */
  follow(on: boolean): void {
    if (on && this.#state.pausedAtMs !== undefined) this.pause(false);
    if (on && this.#isClosed) unlessGone(this.jump({ at: 'end' }));
    else if (on && !this.#latest.atEnd)
      unlessGone(this.jump({ at: 'end' }).then((found) => found && this.#follow(true)));
    else this.#follow(on);
  }

  /** Whether the range has an end, so that no line can arrive. */
  get #isClosed(): boolean {
    return this.#plan?.to !== undefined;
  }

  /** Notes that another range is chosen, and whether it follows from its opening. */
  followAnew(on: boolean): void {
    if (this.#state.pausedAtMs !== undefined) this.pause(false);
    this.#follow(on);
  }

  #follow(on: boolean): void {
    if (on === this.#state.isFollowing) return;
    this.scroller.follow(on);
    this.#arrivedBefore = this.#latest.arrived;
    this.#set({ isFollowing: on, newLines: 0 });
  }

  pause(on: boolean): void {
    if (on === (this.#state.pausedAtMs !== undefined)) return;
    this.worker.send({ type: 'pause', paused: on });
    this.#set({ pausedAtMs: on ? this.#options.nowMs() : undefined });
  }

  setDensity(density: Density): void {
    if (density !== this.#state.density) this.#set({ density });
  }

  /** Goes to a position in the log. Returns false if no such line exists. */
  jump(to: JumpTarget, alignment: 'top' | 'middle' = 'top'): Promise<boolean> {
    const jumping = this.#jump(to, alignment).finally(() => {
      if (this.#jumping !== jumping) return;
      this.#jumping = undefined;
      if (this.#state.jumpingTo !== undefined) this.#set({ jumpingTo: undefined });
    });
    this.#jumping = jumping;
    // The line of a link is in the URL: stopping would make it a line that does not exist.
    this.#set({ jumpingTo: to.at === 'line' ? undefined : to.at });
    return jumping;
  }

  async #jump(to: JumpTarget, alignment: 'top' | 'middle'): Promise<boolean> {
    // A log without lines has no other position than its end.
    const isNowhere = to.at === 'start' && this.#latest.lines === 0 && this.#latest.rows === 0;
    if (to.at !== 'end' && !isNowhere) this.#follow(false);
    const { entry, error, isStopped } = await this.worker.ask({ type: 'jump', to });
    if (isStopped === true && to.at !== 'line')
      this.notify({ code: 'jump-stopped', to: to.at, oldestSeconds: this.#latest.oldestSeconds });
    if (error !== undefined) this.notify({ code: 'error', what: logMessageOf(error).what });
    if (entry === undefined) return false;
    // The end of a range with an end is a line as every other; the others are followed there.
    if (to.at === 'end' && !this.#isClosed) return true;
    this.#set({ active: entry });
    this.scroller.goTo(entry, alignment);
    return true;
  }

  /** Finds the next or previous hit, error or warning from the active row, or from what is in view. */
  async find(what: Wanted, direction: Direction, goOn = false): Promise<EntryId | undefined> {
    const key = `${direction} ${what}`;
    return this.#ask(key, async () => {
      if (!this.#hasArrived) await this.#arrival(key);
      return this.#finding === key ? this.#find(what, direction, goOn) : undefined;
    });
  }

  /** Whether the rows in view are those where the reader last went. */
  get #hasArrived(): boolean {
    return this.#jumping === undefined && this.scroller.hasArrived;
  }

  /** Waits until the reader is where they last went, while that search is wanted. */
  async #arrival(key: string): Promise<void> {
    for (let frame = 0; frame < MAX_ARRIVAL_FRAMES && this.#finding === key && !this.#hasArrived; frame++) {
      await this.#jumping?.catch(() => undefined);
      if (!this.#hasArrived) await new Promise<void>((resolve) => this.#options.onFrame(resolve));
    }
  }

  /** The active row, unless the reader has left it: scrolled away, or went to the end. */
  get #keptActive(): EntryId | undefined {
    const { active, isFollowing } = this.#state;
    const { departures, rowsInView } = this.scroller;
    const isStill = !isFollowing && this.#activeSince === departures;
    return isStill || rowsInView.some(({ entry }) => entry === active) ? active : undefined;
  }

  async #find(what: Wanted, direction: Direction, goOn: boolean): Promise<EntryId | undefined> {
    const { found, isFollowing } = this.#state;
    const at = { active: this.#keptActive, found, isFollowing, status: this.#latest };
    this.#goOn = () => this.find(what, direction, true);
    const result = await findNext(this.worker, this.scroller, at, what, direction, goOn);
    if (result.entry !== undefined) {
      if (what === 'hit') this.#set({ found: result.entry });
      this.show(result.entry);
      if (result.note !== undefined) this.notify(result.note);
    } else if (result.note !== undefined) this.notify(result.note, result.searchedBackTo);
    return result.entry;
  }

  /** Goes to the newest line that all filters accept, wherever in the range it is. */
  async showNewest(goOn = false): Promise<void> {
    await this.#ask('newest', async () => {
      this.#goOn = () => this.showNewest(true);
      const answer = await this.worker.ask({ type: 'show-match', ...(goOn ? { goOn } : {}) });
      const { entry, lacking, lackingSources = 0 } = answer;
      if (entry !== undefined) this.show(entry);
      const note =
        lacking &&
        ({ code: 'found-without', what: 'line', containers: lacking, sources: lackingSources } as const);
      const none = { note: noteOfNone([answer], 'line', undefined) };
      const result = entry === undefined ? (whyStay(answer, 'line') ?? none).note : note;
      if (result !== undefined) this.notify(result);
    });
  }

  /** Starts a search unless the same one is running; a different one replaces the running one. */
  async #ask<T>(key: string, run: () => Promise<T>): Promise<T | undefined> {
    if (this.#finding === key) return undefined;
    this.#finding = key;
    if (this.#state.note !== undefined) this.#set({ note: undefined });
    try {
      return await run();
    } finally {
      if (this.#finding === key) this.#finding = undefined;
    }
  }

  /** Continues where the last search could not read. */
  async goOn(): Promise<void> {
    await this.#goOn?.();
  }

  /** Ends the running search or jump; returns false if none is running. */
  stopFinding(): boolean {
    if (this.#finding === undefined && this.#state.jumpingTo === undefined) return false;
    this.worker.send({ type: 'stop-find' });
    // Nothing was asked of the worker yet.
    if (!this.#hasArrived) this.#finding = undefined;
    return true;
  }

  /** Makes a row the active one and scrolls it into view. */
  show(entry: EntryId): void {
    this.#follow(false);
    this.#set({ active: entry });
    this.scroller.goTo(entry, 'nearest');
  }

  /** Notes that a person scrolls up (-1) or down: up ends following, and more is loaded beyond an end of the view. */
  scrollsBy = (direction: -1 | 1): void => {
    if (direction < 0) this.#follow(false);
    this.reach(direction);
  };

  /** Loads on at an end of the view that is not that of the log, when a person scrolls beyond it. */
  reach(direction: -1 | 1): void {
    const { loading, atBeginning, atEnd } = this.#latest;
    const isOver = direction < 0 ? atBeginning : atEnd;
    const nowMs = this.#options.nowMs();
    if (isOver || loading !== 'none' || nowMs - this.#reachedAtMs < REACH_MS) return;
    if (!this.scroller.isAtEdge(direction)) return;
    this.#reachedAtMs = nowMs;
    this.worker.send({ type: 'load', what: direction < 0 ? 'older' : 'newer' });
  }

  /** Moves the active row; the first use takes the first (or last) row in view. */
  move(rows: number, selects: boolean): void {
    if (rows < 0) this.#follow(false);
    const { active } = this.#state;
    const held = this.scroller.rows;
    const at = held.findIndex(({ entry }) => entry === active);
    const next =
      at === -1
        ? this.scroller.rowsInView.at(rows < 0 ? -1 : 0)
        : held[Math.min(Math.max(at + rows, 0), held.length - 1)];
    if (next === undefined) return;
    this.reach(rows < 0 ? -1 : 1);
    if (selects) unlessGone(this.select(next.entry, 'range'));
    this.#set({ active: next.entry });
    if (!this.#state.isFollowing) this.scroller.goTo(next.entry, 'nearest');
  }

  /** Moves one page back or forward; the row at that end of the view becomes the active one. */
  page(direction: -1 | 1): void {
    if (direction < 0) this.#follow(false);
    if (this.#state.isFollowing) return;
    this.reach(direction);
    const active = this.scroller.page(direction)?.entry;
    if (active !== undefined) this.#set({ active });
  }

  /**
   * `only`: selects just this row; `toggle`: adds or removes it; `range`: selects all from the last one to this one.
   */
  async select(entry: EntryId, how: 'only' | 'toggle' | 'range'): Promise<void> {
    if (how === 'range' && this.#selectFrom !== undefined) {
      this.#set({ active: entry });
      const range = this.worker.ask({ type: 'range', from: this.#selectFrom, to: entry });
      this.#ranging = range;
      const { entries } = await range;
      // Only the latest choice applies.
      if (this.#ranging === range) this.#set({ selected: new Set(entries) });
      return;
    }
    this.#ranging = undefined;
    const selected = new Set(how === 'toggle' ? this.#state.selected : []);
    if (how === 'toggle' && selected.has(entry)) selected.delete(entry);
    else selected.add(entry);
    this.#selectFrom = entry;
    this.#set({ active: entry, selected });
  }

  /** Selects the held rows of the view; of more than 100,000, the newest. */
  async selectAll(): Promise<void> {
    this.#follow(false);
    const all = this.worker.ask({ type: 'all' });
    this.#ranging = all;
    const { entries } = await all;
    if (this.#ranging !== all) return;
    this.#selectFrom = entries.at(-1);
    this.#set({ selected: new Set(entries) });
    this.notify({ code: 'selected', rows: entries.length, ofRows: this.#latest.rows });
  }

  clearSelection(): void {
    this.#ranging = undefined;
    this.#selectFrom = undefined;
    this.#set({ selected: new Set() });
  }

  /**
   * The text of the selected lines, or of the active one, in time order, and the link of the first. `isNamed`: includes
   * times and pods.
   */
  async copyText(isNamed = false): Promise<CopiedText | undefined> {
    // Wait for the selected range: key presses arrive faster than that answer.
    await this.#ranging;
    const { selected, active } = this.#state;
    const entries = selected.size > 0 ? [...selected] : active === undefined ? [] : [active];
    if (entries.length === 0) return undefined;
    const { text, lines, link } = await this.worker.ask({ type: 'text', entries, isNamed });
    return { text: plainText(text), lines, link };
  }

  rowOf(entry: EntryId | undefined): Row | undefined {
    return this.scroller.rows.find((row) => row.entry === entry);
  }

  /** Unfolds or folds the lines of a row, opens or closes its details, or loads the lines it represents. */
  toggle(entry: EntryId): void {
    const row = this.rowOf(entry);
    if (row?.kind === 'missing') {
      this.worker.send({ type: 'load-missing', entry });
      this.scroller.refresh();
      return;
    }
    const fold = row?.kind === 'line' ? foldOf(row) : undefined;
    if (fold === undefined) this.toggleDetails(entry);
    else this.#fold(fold.head, !fold.isFolded);
  }

  #fold(head: EntryId, isFolded: boolean): void {
    if (!isFolded) this.#follow(false);
    const topPx = this.scroller.topOf(head);
    this.worker.send({ type: 'fold', entry: head, isFolded });
    this.#set({ active: head });
    if (this.#state.isFollowing) this.scroller.refresh();
    // The head keeps its position.
    else
      this.scroller.goTo(head, topPx === undefined ? 'middle' : { topPx: Math.max(0, topPx) }, {
        inOtherRows: true,
      });
  }

  /** Opens or closes the details of a line: its full text, its fields, its source. */
  toggleDetails(entry: EntryId): void {
    const kind = this.rowOf(entry)?.kind;
    if (kind !== 'line' && kind !== 'fact') return;
    const open = new Set(this.#state.open);
    if (!open.delete(entry)) {
      open.add(entry);
      this.#follow(false);
    }
    this.#set({ open, active: entry });
  }

  /** Shows or hides the list of pinned lines. */
  showPins(showsPins: boolean): void {
    this.#set({ showsPins });
  }

  /** Shows all lines around one, regardless of filters; `undefined` returns to the previous view. */
  showAround(entry: EntryId | undefined): void {
    if (entry !== undefined) this.#around.begin(entry, this.#state.isFollowing);
    const isFollowed = entry === undefined && this.#around.end();
    this.#set({ around: entry, active: entry ?? this.#state.around });
    this.follow(isFollowed);
  }

  /** Sets the line of a link that could not be found; undefined: it was read. */
  setGoneLine(goneLine: string | undefined): void {
    this.#set({ goneLine });
  }

  /** Shows and announces the result of an action, and how far back it searched, in seconds since the epoch. */
  notify(note: Note, searchedBackTo?: number): void {
    this.#set({ note: { ...note, searchedBackTo, number: ++this.#notes } });
  }

  #take(status: BufferStatus): void {
    const before = this.#latest;
    this.#latest = status;
    this.#latestFacets = this.#facets;
    const { version, rows, search, loading } = status;
    this.scroller.changed({ version, rows, searchState: `${loading} ${search.state} ${search.hits}` });
    if (this.#openingSince !== undefined && version !== this.#openingSince && loading !== 'opening') {
      this.#openingSince = undefined;
      this.scroller.opened();
      this.#set({ opened: this.#state.opened + 1 });
    }
    const isOther = before.connection.state !== status.connection.state;
    const matters =
      isOther ||
      before.loading !== status.loading ||
      hasLines(before) !== hasLines(status) ||
      before.atEnd !== status.atEnd ||
      before.asked !== status.asked ||
      (before.finding === undefined) !== (status.finding === undefined) ||
      // A user waiting for the count sees it at once.
      before.search.state !== status.search.state;
    this.#notify(matters);
  }

  #notify(now: boolean): void {
    const waitMs = this.#notifiedAtMs + STATUS_MS - this.#options.nowMs();
    if (!now && waitMs > 0) {
      if (this.#isNotifyDue) return;
      this.#isNotifyDue = true;
      this.#options.afterMs(waitMs, () => {
        this.#isNotifyDue = false;
        this.#notify(true);
      });
      return;
    }
    this.#notifiedAtMs = this.#options.nowMs();
    if (this.#countsNewFrom !== undefined && this.#latest.asked >= this.#countsNewFrom) {
      this.#countsNewFrom = undefined;
      this.#arrivedBefore = this.#latest.arrived;
    }
    const { isFollowing, pausedAtMs } = this.#state;
    const passes = isFollowing && pausedAtMs === undefined;
    this.#set({
      status: this.#latest,
      facets: this.#latestFacets,
      isAnswered: !this.#isTyping && this.#latest.asked >= this.#asked,
      newLines: isFollowing ? 0 : Math.max(0, this.#latest.arrived - this.#arrivedBefore),
      shownPerSecond: this.#rate.update(this.scroller.shown, this.#latest.receivedPerSecond, passes),
    });
  }

  #set(change: Partial<ConsoleState>): void {
    if (change.active !== undefined) this.#activeSince = this.scroller.departures;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the view has rows other than events. */
function hasLines({ rows, facts }: BufferStatus): boolean {
  return rows > facts.rows;
}

/** The lines that are folded into a line, or unfolded below it. */
function foldOf({
  record,
  equal,
}: Extract<Row, { readonly kind: 'line' }>):
  | { readonly head: EntryId; readonly isFolded: boolean }
  | undefined {
  return record ?? (equal && { head: equal.first, isFolded: equal.isFolded });
}
