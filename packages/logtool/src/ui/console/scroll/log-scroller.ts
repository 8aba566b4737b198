import type { Anchor, EntryId, Row } from '../../worker/protocol/protocol.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import { type DrawnRows, drawRows, isDrawnAlike, NOTHING_DRAWN } from './draw-rows.ts';
import { GoingTo } from './going-to.ts';
import { type Alignment, anchorOf, lacksRows, positionIn, questionOf, topOf, wholeIn } from './near-rows.ts';
import { Opening } from './opening.ts';
import { RowHeights } from './row-heights.ts';
import {
  type Extent,
  endPosition,
  firstWhole,
  layOutRows,
  type Placement,
  type Position,
} from './row-positions.ts';
import { RowQuestions } from './row-questions.ts';
import { keepRows, NO_ROWS, type RowWindow } from './row-window.ts';
import { positionAt, type Scrollbar, scrollbarOf } from './scrollbar.ts';
import { Settling } from './settling.ts';

/** The used part of the scrolled element. */
export interface ScrollPane {
  scrollTop: number;
  /** Sets the height of the scrolled content. */
  setSpacer(px: number): void;
  /** Moves the layer of rows, which stays in view. */
  setLayer(topPx: number): void;
}

interface ScrollerOptions {
  readonly worker: Pick<LogWorker, 'ask' | 'send'>;
  /** Calls back once before the next frame is drawn. */
  readonly onFrame: (run: () => void) => void;
  readonly nowMs: () => number;
  readonly afterMs: (ms: number, run: () => void) => void;
  readonly rowPx: number;
}

/** Scrolling has ended if no event arrives for this long, ms: only then the scrollbar is corrected. */
const IDLE_MS = 150;
/** A scrollbar jump beyond this many viewports points at a position; a shorter one moves the rows. */
const POINTING_VIEWPORTS = 3;

/**
 * Scrolls a log whose lines are added, removed and loaded on every side. One row and its distance from the upper edge
 * of the view define the position. The scrollbar follows from that position, never the other way round, except when a
 * person moves it. Rows are in a layer that stays in view, so that the browser's own scrolling never shows rows at a
 * wrong position.
 */
export class LogScroller {
  readonly #options: ScrollerOptions;
  readonly #questions: RowQuestions;
  readonly #listeners = new Set<() => void>();
  readonly #heights: RowHeights;
  #pane: ScrollPane | undefined;
  #window: RowWindow = NO_ROWS;
  #position: Position = { entry: undefined, index: 0, topPx: 0 };
  #placement: Placement | undefined;
  #bar: Scrollbar = { contentPx: 0, spacerPx: 0, scrollTopPx: 0 };
  #drawn: DrawnRows = NOTHING_DRAWN;
  #isFollowing = true;
  #viewportPx = 0;
  #version = -1;
  #searchState = '';
  #paneTopPx = 0;
  #scrolledAtMs = Number.NEGATIVE_INFINITY;
  #shown = 0;
  #departures = 0;
  /** How often the reader has moved: left a place, or went to a row. */
  #moves = 0;
  #hasArrived = false;
  readonly #opening = new Opening();
  readonly #settling: Settling;
  readonly #viewport: ReportedViewport;
  readonly #frames: NextFrame;
  readonly #goingTo = new GoingTo();

  constructor(options: ScrollerOptions) {
    this.#options = options;
    this.#heights = new RowHeights(options.rowPx);
    this.#settling = new Settling(this.#heights);
    this.#viewport = new ReportedViewport(options.worker);
    this.#frames = new NextFrame(options.onFrame, () => this.#frame());
    this.#questions = new RowQuestions({
      worker: options.worker,
      question: () => questionOf(this.#anchor(), this.#viewportPx, this.#heights.rowPx),
      take: (anchor, answer) => {
        this.#take(anchor, answer);
        return this.#version > answer.version;
      },
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** What is drawn; the same object until it changes. */
  drawn = (): DrawnRows => this.#drawn;

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  get rows(): readonly Row[] {
    return this.#window.rows;
  }

  /** Number of rows of the whole view. */
  get total(): number {
    return this.#window.total;
  }

  /** How often the reader has left the place where they were: by scrolling, or to follow. */
  get departures(): number {
    return this.#departures;
  }

  /** Whether the rows in view are those at the position of the reader, rather than those before it changed. */
  get hasArrived(): boolean {
    return this.#hasArrived || this.#window.total === 0;
  }

  /** Number of rows that have come into view since the beginning. */
  get shown(): number {
    return this.#shown;
  }

  /** Rows that are at least partly in view, in order. */
  get rowsInView(): readonly Row[] {
    const { first, last } = this.#placement ?? { first: 0, last: -1 };
    return this.#window.rows.slice(first, last + 1);
  }

  attach(pane: ScrollPane | undefined): void {
    this.#pane = pane;
    this.#paneTopPx = pane?.scrollTop ?? 0;
    this.#bar = { contentPx: 0, spacerPx: 0, scrollTopPx: 0 };
    this.#frames.ask();
  }

  resize(viewportPx: number): void {
    if (viewportPx === this.#viewportPx) return;
    this.#viewportPx = viewportPx;
    this.#frames.ask();
    this.#questions.ask();
  }

  /** Changes the row measures; the first row in view keeps its position. */
  setLayout(layout: { readonly rowPx: number; readonly wraps: boolean }): void {
    if (!this.#heights.setLayout(layout.rowPx, layout.wraps)) return;
    this.#settling.end();
    const { entry } = this.#position;
    if (entry !== undefined) this.#position = { ...this.#position, topPx: Math.max(0, this.#position.topPx) };
    this.#frames.ask();
  }

  /** Takes the row heights that the browser drew. Returns true if something moved and must be drawn again. */
  measured(heights: ReadonlyMap<EntryId, number>): boolean {
    const changed = this.#heights.measured(heights);
    this.#settling.measured(heights, changed);
    if (changed) this.#frame();
    return changed;
  }

  /**
   * Notes a change of the worker's view. A new `version`: indexes may have moved; a new `searchState`: rows may be
   * drawn differently. If both are unchanged, rows were only added at the end.
   */
  changed(view: { readonly version: number; readonly rows: number; readonly searchState: string }): void {
    const isSame = view.version === this.#version && view.searchState === this.#searchState;
    if (isSame && view.rows === this.#window.total) return;
    this.#version = view.version;
    this.#searchState = view.searchState;
    const isEndHeld = this.#window.rows.at(-1)?.index === this.#window.total - 1;
    if (isSame && !this.#isFollowing && !isEndHeld && view.rows > this.#window.total) {
      this.#window = { ...this.#window, total: view.rows };
      this.#frames.ask();
    } else this.#questions.ask();
  }

  /** Replaces all rows: the view opens at that end. */
  open(at: 'start' | 'end'): void {
    this.#leave();
    this.#stay();
    this.#opening.begin(at);
  }

  /** Notes that everything the view opens with has arrived. */
  opened(): void {
    this.#opening.finish();
    this.#questions.ask();
  }

  #stay(): void {
    this.#goingTo.end();
    this.#settling.end();
    this.#opening.end();
  }

  /** Reads the loaded rows again, because the content of one changed. */
  refresh(): void {
    this.#questions.ask();
  }

  follow(on: boolean): void {
    if (on === this.#isFollowing) return;
    this.#isFollowing = on;
    this.#goingTo.end();
    this.#settling.end();
    if (on) this.#leave();
    if (on) this.#questions.ask();
    this.#frames.ask();
  }

  #leave(): void {
    this.#departures++;
    this.#moves++;
    this.#hasArrived = false;
  }

  /** Handles a scroll of the pane by a user or by a call from here. */
  scrolled(): void {
    const pane = this.#pane;
    if (pane === undefined) return;
    const delta = pane.scrollTop - this.#paneTopPx;
    if (delta === 0) return;
    this.#paneTopPx = pane.scrollTop;
    // While following, the next line positions the pane; scrolling by this code also triggers this event.
    if (this.#isFollowing) return;
    this.#scrolledAtMs = this.#options.nowMs();
    this.#leave();
    if (Math.abs(delta) > POINTING_VIEWPORTS * this.#viewportPx) {
      this.#position = positionAt(this.#paneTopPx, this.#bar, this.#extent());
    } else this.#move(delta);
    this.#stay();
    this.#options.afterMs(IDLE_MS + 10, () => this.#frames.ask());
    this.#frames.ask();
  }

  /** Moves by this many pixels; positive shows later rows. */
  scrollBy(px: number): void {
    this.#leave();
    this.#stay();
    this.#move(px);
    this.#frames.ask();
  }

  /** Moves by one view, less two rows that stay visible. Returns the first or last row in view, uncut if possible. */
  page(direction: -1 | 1): Row | undefined {
    const { rowPx } = this.#heights;
    this.scrollBy(direction * Math.max(rowPx, this.#viewportPx - 2 * rowPx));
    this.#frame();
    if (this.#placement === undefined) return undefined;
    const rows = wholeIn(this.rowsInView, this.#placement, this.#viewportPx, this.#heights.of);
    return rows.at(direction < 0 ? 0 : -1);
  }

  /**
   * Shows a row, which may be anywhere in the view. `inOtherRows`: the view has just changed, and the row belongs to
   * its current rows, while the loaded ones are outdated.
   */
  goTo(entry: EntryId, alignment: Alignment, { inOtherRows = false } = {}): void {
    this.#isFollowing = false;
    this.#moves++;
    this.#stay();
    this.#goingTo.begin(entry, alignment, inOtherRows);
    if (!this.#arrive()) this.#questions.ask();
    this.#frames.ask();
  }

  /** The position of a loaded row, in px from the top of the view. */
  topOf(entry: EntryId): number | undefined {
    return this.#placement?.topsPx[this.#window.rows.findIndex((row) => row.entry === entry)];
  }

  /** Whether the first row of the view (-1) or its last one (1) is in view, so that scrolling on shows nothing more. */
  isAtEdge(direction: -1 | 1): boolean {
    const row = this.rowsInView.at(direction < 0 ? 0 : -1);
    return row !== undefined && row.index === (direction < 0 ? 0 : this.total - 1);
  }

  /** The first row that is completely in view, and its position. */
  get position(): { readonly entry: EntryId; readonly topPx: number } | undefined {
    return firstWhole(this.#window.rows, this.#placement);
  }

  #move(px: number): void {
    this.#position = { ...this.#position, topPx: this.#position.topPx - px };
  }

  #extent(): Extent {
    return this.#heights.extent(this.#viewportPx, this.#window.total);
  }

  #frame(): void {
    if (this.#pane === undefined || this.#viewportPx === 0) return;
    const rows = this.#window.rows;
    const extent = this.#extent();
    const last = rows.at(-1);
    const position =
      this.#isFollowing && last?.index === extent.total - 1
        ? endPosition(extent, this.#heights.of(last.entry))
        : (this.#settling.position(rows) ?? this.#position);
    const placement = layOutRows(rows, position, extent, this.#heights.of);
    this.#position = placement.position;
    this.#placement = placement;
    this.#hasArrived = this.#isFollowing
      ? last?.index === extent.total - 1
      : placement.first <= placement.last;
    this.#straighten(scrollbarOf(rows, placement, extent));
    this.#draw(placement, extent);
    this.#viewport.report(rows, placement, this.#isFollowing ? undefined : this.#moves);
    if (lacksRows(rows, placement, extent)) this.#questions.ask();
  }

  /** Corrects the scrollbar, unless a user is moving it and can continue. */
  #straighten(bar: Scrollbar): void {
    const pane = this.#pane;
    if (pane === undefined) return;
    if (bar.spacerPx !== this.#bar.spacerPx) {
      pane.setSpacer(bar.spacerPx);
      this.#paneTopPx = pane.scrollTop;
    }
    this.#bar = bar;
    const atEdge = this.#paneTopPx <= 0 || this.#paneTopPx >= bar.spacerPx - this.#viewportPx - 1;
    const isIdle = this.#options.nowMs() - this.#scrolledAtMs >= IDLE_MS;
    if (Math.abs(this.#paneTopPx - bar.scrollTopPx) < 1 || !(isIdle || atEdge || this.#isFollowing)) return;
    pane.scrollTop = bar.scrollTopPx;
    this.#paneTopPx = pane.scrollTop;
  }

  #draw(placement: Placement, extent: Extent): void {
    const next = drawRows(this.#window.rows, placement, extent, this.#drawn);
    this.#pane?.setLayer(next.layerPx);
    const isSame = isDrawnAlike(next, this.#drawn);
    this.#drawn = next;
    if (isSame) return;
    this.#shown += next.fresh;
    for (const listener of this.#listeners) listener();
  }

  #anchor(): Anchor {
    const { anchor } = this.#goingTo;
    if (anchor !== undefined) return anchor;
    if (this.#isFollowing) return { at: 'end' };
    return this.#opening.anchor ?? anchorOf(this.#position, this.#placement, this.#extent());
  }

  #take(anchor: Anchor, answer: RowWindow & { readonly anchorIndex: number }): void {
    this.#window = keepRows(answer, this.#window);
    const lastRow = this.#window.rows.at(-1);
    const lastPx = lastRow === undefined ? 0 : this.#heights.of(lastRow.entry);
    const opened = this.#opening.take(anchor, this.#extent(), lastPx);
    if (opened !== undefined && anchor.at === 'end' && lastRow !== undefined)
      this.#settling.begin(lastRow.entry, (px) => endPosition(this.#extent(), px).topPx);
    const position = opened ?? this.#position;
    this.#position = positionIn(this.#window.rows, position, anchor, answer.anchorIndex);
    this.#arrive(anchor);
    this.#frames.ask();
  }

  /** Positions the target row once it is loaded. */
  #arrive(answered?: Anchor): boolean {
    const arrived = this.#goingTo.arrive(this.#window.rows, answered);
    if (arrived === undefined) return false;
    const { entry, index } = arrived.row;
    const nowPx = this.#placement?.topsPx[arrived.at];
    const topFor = (heightPx: number) => topOf(arrived.alignment, nowPx, heightPx, this.#extent());
    this.#settling.begin(entry, topFor);
    this.#position = { entry, index, topPx: topFor(this.#heights.of(entry)) };
    return true;
  }
}

/** Runs a function in the next frame of the screen, once for any number of requests. */
class NextFrame {
  readonly #onFrame: (run: () => void) => void;
  readonly #run: () => void;
  #isAsked = false;

  constructor(onFrame: (run: () => void) => void, run: () => void) {
    this.#onFrame = onFrame;
    this.#run = run;
  }

  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#onFrame(() => {
      this.#isAsked = false;
      this.#run();
    });
  }
}

/** Reports changes of the rows in view to the worker, which loads more near them and keeps them. */
class ReportedViewport {
  readonly #worker: Pick<LogWorker, 'send'>;
  #last: { readonly first: EntryId; readonly last: EntryId } | undefined;
  #moves = 0;

  constructor(worker: Pick<LogWorker, 'send'>) {
    this.#worker = worker;
  }

  /** `moves`: how often the reader has moved; undefined: the view moves by itself. */
  report(rows: readonly Row[], placement: Placement, moves: number | undefined): void {
    const first = rows[placement.first]?.entry;
    const last = rows[placement.last]?.entry;
    if (first === undefined || last === undefined) return;
    if (this.#last?.first === first && this.#last.last === last) return;
    this.#last = { first, last };
    const isByReader = moves !== undefined && moves !== this.#moves;
    this.#moves = moves ?? this.#moves;
    this.#worker.send({ type: 'viewport', first, last, ...(isByReader ? { isByReader } : {}) });
  }
}
