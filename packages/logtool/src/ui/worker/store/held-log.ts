import {
  compareTimestamps,
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import { compareEnds, compareStarts, intersection, intervals } from '../../../domain/coverage/interval.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { serverClock } from '../../frame/server-clock.ts';
import { dividesTime, type Edges, fateOf } from '../known/edges.ts';
import { FollowReach } from '../known/follow-reach.ts';
import { kindOfGap } from '../known/known-gap.ts';
import { LateRanges } from '../known/late-ranges.ts';
import { heldFrom, intervalOf, isAtCursor } from '../known/missing.ts';
import { pageProblem, streamProblem } from '../known/problem-keys.ts';
import type { Limits } from '../protocol/limits.ts';
import type { EntryId, Problem } from '../protocol/protocol.ts';
import { ENTRY_FLAGS, KIND, VERDICT } from './entry-table.ts';
import { evict } from './evict.ts';
import { FactPositions } from './fact-positions.ts';
import { type Fence, LineStore, type Marker, type NewLine } from './line-store.ts';
import { Overlap } from './overlap.ts';
import { RecordGroups } from './record-groups.ts';
import type { HeldSource } from './source-table.ts';
import { View, type ViewFilter } from './view.ts';

const ERROR = LEVELS.indexOf('error');

/** The newest line of a container, where following continues. */
interface Newest extends Timestamp {
  readonly run: string;
}

interface PutOptions {
  /** Whether the line counts as new to the reader. */
  readonly isNew?: boolean;
  readonly fence?: Fence | undefined;
}

/** A run of a container. */
export interface KnownContainer {
  readonly wire: LogSource;
  readonly isGone: boolean;
  /** The last line that it has written; undefined: none, or not known. */
  readonly newest: Newest | undefined;
}

/** The loaded part of the log: entries, edges, and data derived from the lines that arrived. */
export class HeldLog {
  readonly store: LineStore;
  readonly groups: RecordGroups;
  readonly view: View;
  readonly edges: Edges = { older: 'unknown', newer: 'now' };
  readonly factPositions: FactPositions;
  readonly problems = new Map<string, Problem>();
  /** Containers whose connection broke and is being retried. */
  readonly away = new Set<string>();
  /** Up to when the follow has read them. */
  readonly reach = new FollowReach();
  /** Containers that have not answered, and since when (ms since the epoch): nothing of them was read. */
  readonly unanswered = new Map<string, number>();
  /** Containers without which pages were read, because they did not answer. */
  readonly late = new LateRanges();
  /** What the nodes no longer have before the first lines of containers, by container and cause. */
  readonly lost = new Map<string, KnownGap>();
  /** The reports that `lost` combines: a log that is rotated again begins later than the one before. */
  readonly lossReports = new Map<string, readonly KnownGap[]>();
  /** Number of earlier runs of a container (LogSource.id) that its node no longer has, if that was reported. */
  readonly goneRuns = new Map<string, number>();
  readonly limits: Limits;
  #newest = new Map<string, Newest>();
  #overlap: Overlap | undefined;
  /** Markers of new containers whose first line has not arrived yet. */
  readonly #awaitingFirst = new Map<number, EntryId>();
  /** By source: the state that a row reported last. A resumed stream reports it again. */
  readonly lastStates = new Map<number, string>();
  /** The first and last row that the reader sees. */
  reader: EntryId | undefined;
  readerLast: EntryId | undefined;
  /** Number of new lines that arrived through the following stream. */
  arrived = 0;
  /** Number of these that the filtered view shows. */
  arrivedInView = 0;
  /** Number of these with level error or worse. */
  arrivedErrors = 0;
  /**
   * Whether arriving lines belong to the opening view, or are existing lines of added sources: they do not count as
   * new.
   */
  isOpening = false;
  withheld: EntryId[] = [];
  /** Called with each held line that arrives through the stream, but not with lines of pages. */
  readonly streamed = new Set<(id: EntryId) => void>();
  /** During the read of a gap: lines that arrive for ranges that are not held. */
  lateLines: NewLine[] | undefined;

  constructor(limits: Limits, firstId = 0) {
    this.limits = limits;
    this.store = new LineStore(firstId);
    this.groups = new RecordGroups(this.store);
    this.view = new View(this.store, this.groups);
    this.factPositions = new FactPositions(this.store, this.edges);
  }

  /** The view with every line of its records. */
  unfoldedView(): View {
    const unfolded = new View(this.store, this.groups, false);
    unfolded.filter = this.view.filter;
    return unfolded;
  }

  /** Prepares for a stream that may deliver held lines again. */
  expectOverlap(): void {
    this.#overlap = this.store.lines === 0 ? undefined : new Overlap(this.store);
  }

  /** Takes a line of the following stream. */
  arrive(line: NewLine): void {
    const fate = this.#isAfterEnd(line) ? 'after' : fateOf(this.edges, this.store.missing, line);
    if (fate === 'held') {
      if (this.#overlap?.takes(line) === true || this.#isBeyondEdge(line)) return;
      this.#note(line);
      this.#put(line);
      return;
    }
    const isAgain = this.#isNoNewer(line);
    this.#note(line);
    if (fate !== 'after' && this.lateLines !== undefined) {
      this.lateLines.push(line);
      return;
    }
    if (isAgain) return;
    if (this.#isNew(line)) {
      this.arrived++;
      // Filters cannot decide about lines that are not loaded.
      if (!isFiltering(this.view.filter)) this.arrivedInView++;
    }
    if (typeof fate === 'object' && fate.lines !== undefined) fate.lines++;
  }

  /** Takes a line that arrived during the read of its range: `overlap` knows the lines that were read. */
  arriveLate(line: NewLine, overlap: Overlap): void {
    if (fateOf(this.edges, this.store.missing, line) === 'held' && !overlap.takes(line)) this.#put(line);
  }

  /**
   * Takes a line of a late container from a page: `overlap` knows the lines that the stream delivered. `before`: a held
   * line of the same time that follows it.
   */
  putLate(line: NewLine, overlap: Overlap, before?: EntryId): void {
    if (fateOf(this.edges, this.store.missing, line) !== 'held' || overlap.takes(line)) return;
    const id = this.#put(line, { isNew: false, fence: before === undefined ? undefined : { before } });
    this.#overlap?.put(line, id);
  }

  /** Inserts the lines of a page between two entries. Skips those that `overlap` knows as held. */
  putPage(lines: readonly NewLine[], fence: Fence, overlap?: Overlap): EntryId[] {
    const ids: EntryId[] = [];
    for (const line of lines) {
      if (overlap?.takes(line) === true) continue;
      const id = this.store.addLine(line, fence);
      this.#overlap?.put(line, id);
      ids.push(id);
    }
    return ids;
  }

  /** Evicts lines beyond the limits. Returns true if lines were evicted. */
  trim(): boolean {
    const hasEvicted = evict(this.store, this.edges, this.limits, this.reader);
    if (!hasEvicted) return false;
    this.#noteCuts();
    if (this.late.size === 0) return true;
    // The number of lines in a range that was read without some containers is not known.
    for (const range of this.store.missing.values())
      if (intersection(intervals(intervalOf(range)), this.late.intervals).length > 0) range.lines = undefined;
    return true;
  }

  /** Containers that do not answer: nothing of them was read, or parts of what is held lack their lines. */
  get silent(): ReadonlySet<string> {
    return new Set([...this.unanswered.keys(), ...this.late.keys()]);
  }

  /** Whether what is held may lack lines of containers that did not answer. */
  get lacksContainers(): boolean {
    return this.unanswered.size + this.late.size > 0;
  }

  /** Whether all lines of the view are held, from its beginning to its end. */
  get isWhole(): boolean {
    const { edges, store } = this;
    return edges.older === 'beginning' && edges.newer === 'now' && store.missing.size === 0;
  }

  /** Marks a container as gone or as back: its lines stay. */
  setGone(index: number, isGone: boolean): void {
    this.store.sources.setGone(index, isGone);
    if (!isGone) return;
    const { owner, wire } = this.store.sources.get(index);
    if (this.hasUnread(wire.id)) owner.isCut = true;
    this.#noteCuts();
  }

  /** Whether a container does not answer, or its log cannot be read: lines of it may be unread. */
  hasUnread(id: string): boolean {
    const { unanswered, late, away } = this;
    return unanswered.has(id) || late.has(id) || away.has(id) || this.problemOf(id) !== undefined;
  }

  /** Whether a container (LogSource.id) cannot be read, and is not being reconnected. */
  hasFailed(id: string): boolean {
    return this.problemOf(id) !== undefined && !this.away.has(id);
  }

  /** Whether a known container answers requests for its log. */
  hasAnswered(id: string): boolean {
    return !this.hasUnread(id) && this.store.sources.all.some(({ wire }) => wire.id === id);
  }

  /** What is wrong with a container (LogSource.id); the stream knows more than a page. */
  problemOf(id: string): Problem | undefined {
    return this.problems.get(streamProblem(id)) ?? this.problems.get(pageProblem(id));
  }

  /** Its containers, by their runs. */
  get containers(): readonly KnownContainer[] {
    const all = this.store.sources.all.filter(({ isLeftOut }) => !isLeftOut);
    // Of a part that ends earlier, nobody knows whether more lines follow.
    const isRead = (id: string) => this.edges.newer === 'now' && !this.hasUnread(id);
    return all.map(({ wire, owner }) => ({
      wire,
      isGone: owner.isGone,
      newest: isRead(wire.id) ? this.#newest.get(wire.id) : undefined,
    }));
  }

  /** Takes in a container that was gone before this log was opened: none of its lines can be read. */
  takeGone({ wire, newest }: KnownContainer): void {
    const index = this.store.sources.takeRead(wire, false);
    this.store.sources.setGone(index, true);
    this.store.sources.get(index).owner.isCut = true;
    if (newest !== undefined) this.#newest.set(wire.id, newest);
  }

  /** Notes which containers are gone while lines of the view are not held. */
  #noteCuts(): void {
    if (this.isWhole) return;
    for (const { owner } of this.store.sources.all) if (owner.isGone) owner.isCut = true;
  }

  /** Adds a marker at a time, or else now, after everything held. */
  mark(marker: Marker, at?: Timestamp): EntryId | undefined {
    const { last } = this.store.order;
    const now = serverClock.nowMs();
    const held = last === undefined ? undefined : this.store.time(last);
    const time = at ?? held ?? { seconds: Math.floor(now / 1000), nanos: (now % 1000) * 1e6 };
    if (fateOf(this.edges, this.store.missing, time) !== 'held') return undefined;
    const id = this.store.addMarker(at === undefined && last !== undefined ? { after: last } : time, {
      ...marker,
      atMs: at === undefined ? now : timestampToMs(at),
    });
    if (this.store.withholding) this.withheld.push(id);
    const introduces = marker.marker === 'joined' || marker.marker === 'restarted';
    if (marker.source !== undefined && introduces) this.#awaitingFirst.set(marker.source, id);
    return id;
  }

  /**
   * Adds the row of a gap at the time where it begins. If that lies before the held part and the gap reaches into it, the
   * row is the first one of the held part.
   */
  markGap(marker: Marker, at: Timestamp | undefined): EntryId | undefined {
    const { older } = this.edges;
    const to = marker.span?.to;
    const fate = (time: Timestamp) => fateOf(this.edges, this.store.missing, time);
    const isCut = at !== undefined && to !== undefined && fate(at) === 'before' && fate(to) === 'held';
    return this.mark(marker, isCut && typeof older !== 'string' ? heldFrom(older) : at);
  }

  /** Hides arriving lines while paused; shows them afterwards, once. */
  release(paused: boolean): void {
    const { store } = this;
    store.withholding = paused;
    if (!paused) this.showWithheld();
  }

  /** Shows the lines that arrived while paused; those that arrive from now on stay hidden as before. */
  showWithheld(): void {
    const { store } = this;
    for (const id of this.withheld) {
      if (store.isHeld(id)) store.table.set('flags', id, store.table.flags(id) & ~ENTRY_FLAGS.withheld);
    }
    this.withheld = [];
    this.view.invalidate();
  }

  /** The position of each container, for a resumed stream; containers that left were read to their end. */
  resumePoints(): { readonly id: string; readonly run: string; readonly at?: string }[] {
    return this.store.sources.latestRuns().map(({ wire }) => {
      const newest = this.#newest.get(wire.id);
      if (newest === undefined) return { id: wire.id, run: wire.run };
      return { id: wire.id, run: newest.run, at: formatTimestamp(newest) };
    });
  }

  /** Drops containers that no source selects and that have no loaded lines: if they return, they start over. */
  leaveOut(sources: readonly HeldSource[]): void {
    for (const source of sources) {
      source.isLeftOut = true;
      this.#newest.delete(source.wire.id);
      this.lastStates.delete(source.index);
      this.away.delete(source.wire.id);
      this.reach.regain(source.wire.id);
      this.unanswered.delete(source.wire.id);
      this.late.forget(source.wire.id);
    }
    this.store.sources.version++;
  }

  /** The time of the newest known line of a container (LogSource.id). */
  readonly newestOf = (id: string): Timestamp | undefined => this.#newest.get(id);

  /**
   * Up to which time the follow has read a container (LogSource.id), ms since the epoch. Infinity: up to now; -Infinity:
   * it does not reach the newest lines.
   */
  readonly followedToMs = (id: string): number => {
    if (this.edges.newer !== 'now') return Number.NEGATIVE_INFINITY;
    const newest = this.#newest.get(id);
    return this.reach.of(id, newest && timestampToMs(newest));
  };

  /** Notes that the node no longer has what a container wrote before its first line. */
  noteLost(id: string, frame: Extract<LogFrame, { readonly type: 'gap' }>): void {
    const [from, to] = [frame.from, frame.to].map((text) =>
      text === undefined ? undefined : parseTimestamp(text),
    );
    const key = `${frame.cause.code} ${id}`;
    // A page reports only what is lost of its own range.
    const lost = { id, from, to, ...kindOfGap(frame), isLost: true };
    const known = this.lost.get(key);
    const reports = this.lossReports.get(key) ?? [];
    const isKnown = reports.some((one) => isSameInterval(one, lost));
    if (!isKnown) this.lossReports.set(key, [...reports, lost]);
    this.lost.set(key, known === undefined ? lost : hullOf(known, lost));
    if (frame.cause.code === 'runs-gone') this.goneRuns.set(id, frame.cause.data.count);
  }

  /** Recomputes the positions of containers from the loaded lines, because those after the edge were evicted. */
  recountNewest(): void {
    this.#newest = new Map();
    const { table, order, sources } = this.store;
    for (const id of order.from({ chunk: 0, offset: 0 })) {
      if (table.kind(id) !== KIND.line) continue;
      const { wire } = sources.get(table.source(id));
      this.#newest.set(wire.id, { run: wire.run, ...this.store.time(id) });
    }
  }

  /** Whether a line has the time at which the held part ends, and is in order after its last line. */
  #isAfterEnd(line: NewLine): boolean {
    const { newer } = this.edges;
    const { last } = this.store.order;
    if (typeof newer === 'string' || last === undefined || !isAtCursor(newer, line)) return false;
    return this.store.compareTo(last, line.seconds, line.nanos, line.source) <= 0;
  }

  /** Whether a resumed stream repeats a line that was read or counted before, at a time that an edge divides. */
  #isBeyondEdge(line: NewLine): boolean {
    return (
      this.#overlap !== undefined &&
      this.#isNoNewer(line) &&
      dividesTime(this.edges, this.store.missing, line)
    );
  }

  /** Whether the container's lines up to that time already arrived (some of them may be in missing ranges). */
  #isNoNewer(line: NewLine): boolean {
    const newest = this.#newest.get(this.store.sources.get(line.source).wire.id);
    return newest !== undefined && compareTimestamps(line, newest) <= 0;
  }

  /** Whether a line is new: not part of the opening view, nor from a container that answers late. */
  #isNew({ source }: NewLine): boolean {
    if (this.isOpening) return false;
    return this.unanswered.size === 0 || !this.unanswered.has(this.store.sources.get(source).wire.id);
  }

  #note(line: NewLine): void {
    if (this.#isNoNewer(line)) return;
    const { wire } = this.store.sources.get(line.source);
    this.#newest.set(wire.id, { run: wire.run, seconds: line.seconds, nanos: line.nanos });
  }

  #put(line: NewLine, { isNew = this.#isNew(line), fence }: PutOptions = {}): EntryId {
    const id = this.store.addLine(line, fence);
    for (const note of this.streamed) note(id);
    if (isNew) {
      this.arrived++;
      if (passesFilter(this.store, this.view.filter, id)) this.#countShown(id);
    }
    if (this.store.withholding) this.withheld.push(id);
    if (this.#awaitingFirst.size > 0) this.#introduce(line, id);
    return id;
  }

  #countShown(id: EntryId): void {
    this.arrivedInView++;
    if (this.store.table.level(id) <= ERROR) this.arrivedErrors++;
  }

  /** Puts the marker of a new container before its first line, in whatever order they arrive. */
  #introduce(line: NewLine, id: EntryId): void {
    const marker = this.#awaitingFirst.get(line.source);
    if (marker === undefined) return;
    this.#awaitingFirst.delete(line.source);
    if (!this.store.isHeld(marker) || this.store.compare(marker, id) < 0) return;
    this.store.moveMarker(marker, id);
  }
}

function isSameInterval(a: KnownGap, b: KnownGap): boolean {
  return compareStarts(a.from, b.from) === 0 && compareEnds(a.to, b.to) === 0;
}

/** The time from the beginning of one gap to the end of the other: nothing precedes either. */
function hullOf(a: KnownGap, b: KnownGap): KnownGap {
  return {
    ...a,
    from: compareStarts(a.from, b.from) <= 0 ? a.from : b.from,
    to: compareEnds(a.to, b.to) >= 0 ? a.to : b.to,
    beginsAt: undefined,
  };
}

/** Converts a record of a stream to a line; `sources` maps the stream's indexes to ours. */
export function lineOf(record: WireRecord, sources: readonly (number | undefined)[]): NewLine | undefined {
  const [source, seconds, nanos, text, flags] = record;
  const own = sources[source];
  return own === undefined ? undefined : { source: own, seconds, nanos, text, flags };
}

/** Whether facets, fields or the search leave anything out. */
export function isFiltering({ wanted, byFields, bySearch }: ViewFilter): boolean {
  return wanted !== undefined || byFields || bySearch;
}

/** Whether facets, fields and search accept a held line, so that it is shown now or after the pause. */
function passesFilter({ table }: LineStore, filter: ViewFilter, id: EntryId): boolean {
  const { wanted, byFields, bySearch } = filter;
  if (wanted !== undefined && !wanted(table.source(id), table.level(id))) return false;
  if (byFields && table.verdict('fielded', id) !== VERDICT.hit) return false;
  return !bySearch || table.verdict('searched', id) === VERDICT.hit;
}
