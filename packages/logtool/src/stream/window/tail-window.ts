import { asTheyCome, LATE, orLate } from '@logtool/kube/src/values/in-parallel.ts';
import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { compareEnds, nextTime } from '../../domain/coverage/interval.ts';
import { lostIn } from '../../domain/coverage/lost.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { MAX_RECORD_LINES } from '../../domain/records/open-record.ts';
import { boundTime, isAfterTo } from '../../domain/window.ts';
import { lacksContext, withContext } from '../match/context-lines.ts';
import type { RecordTests } from '../match/record-tests.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { CursorCounter } from './bounds.ts';
import { reportReadEnd } from './container-lane.ts';
import {
  type ContainerSegment,
  fill,
  newestFloor,
  newSegment,
  readable,
  talliedAt,
  uncertain,
} from './container-segment.ts';
import type { ContainerTailOptions } from './container-tail.ts';
import { forwardWindow } from './forward-window.ts';
import { Ranks } from './ranks.ts';
import { SegmentCutter } from './segment-cutter.ts';
import { firstWant, SPARE_RECORDS } from './tail-ask.ts';
import { isKept, type KeepPlan } from './tail-keeper.ts';
import { lacksHead, passingRecords } from './tail-records.ts';
import { turnsAhead, type WindowInput, type WindowRead } from './window-result.ts';

const BATCH_RECORDS = 256;
/** Maximum number of last lines to keep whose records may pass. */
const MAX_CANDIDATES = 100_000;
/** A larger tail is not held in memory: only its times are used to find its beginning, and it is read from there. */
const LARGE_COUNT = 20_000;
/** A search goes back in steps, each of which reads the previous one's records once more. */
const SEARCH_STEP = 4;
/**
 * After this many bytes without a match, the word is rare, and the search most likely must read everything: in one more
 * step.
 */
const FAR_BYTES = 4 * 1024 * 1024;
const FAR_STEP = 64;

/**
 * Tail: the last N of the merged order. Requests its share from each container, and more only if the container's first
 * known record is after the N-th of all, so that many containers do not cost N each.
 */
export async function* tailWindow(context: ReadContext, input: WindowInput, plan: EnginePlan): WindowRead {
  const search = new TailSearch(context, input, plan);
  yield* search.run();
  const { segments, everything, isCut, late } = search;
  const inside = insideCursors(everything, plan);
  const matches = search.last;
  const chosen =
    input.records === undefined
      ? withContext(inside, matches, plan.filter)
      : wholeRecords(segments, matches, input.records);
  yield* lostGaps(segments, plan, matches.length < search.count ? undefined : chosen[0]?.at);
  if (search.keep.timesOnly && chosen.length > 0)
    return yield* readOn(context, input, plan, everything, chosen, isCut);
  for (const { tail, reports } of segments) {
    for (const frame of reports) context.report(frame);
    if (tail !== undefined) reportReadEnd(context, tail.end, plan.window.follow);
  }
  for (let index = 0; index < chosen.length; index += BATCH_RECORDS) {
    yield { type: 'records', records: chosen.slice(index, index + BATCH_RECORDS) };
  }
  if (plan.window.follow && search.count > 0) primeContext(input, everything, matches);
  const ends = segments.flatMap(({ target, tail }) =>
    tail === undefined ? [] : [[target.id, tail.end] as const],
  );
  return {
    ends: new Map(ends),
    ...pageCursors(plan, search, inside, chosen),
    cut: isCut || late.length > 0,
    last: chosen.at(-1),
    late: late.length === 0 ? undefined : { targets: late, from: search.begin },
  };
}

/** Searches back through all containers until the last wanted records are certain. */
class TailSearch {
  readonly #context: ReadContext;
  readonly #input: WindowInput;
  readonly #plan: EnginePlan;
  readonly #options: ContainerTailOptions;
  #cutter: SegmentCutter;
  readonly #limit: number;
  /** From the selection. */
  readonly count: number;
  segments: readonly ContainerSegment[];
  /** Containers that did not answer in time, and are left out. */
  late: readonly ContainerTarget[] = [];
  /** All known records, in the total order. */
  everything: readonly LogRecord[] = [];
  /** Those that pass the filter inside the window. */
  #passed: readonly LogRecord[] = [];
  /** Nothing up to this time was searched: the budget was used up. */
  stopped: Timestamp | undefined;
  #bytes = 0;

  constructor(context: ReadContext, input: WindowInput, plan: EnginePlan) {
    const { selection, from, to, previous, follow } = plan.window;
    this.#context = context;
    this.#input = input;
    this.#plan = plan;
    this.count = selection.kind === 'tail' ? selection.count : 0;
    const keep = keepPlan(input, plan, this.count);
    this.#options = { from, to, previous, thenFollow: follow, afterTo: plan.afterTo, keep };
    const want = firstWant(plan, this.count, input.targets.length);
    this.segments = input.targets.map((target) => newSegment(target, want));
    this.#cutter = new SegmentCutter(this.segments, keep);
    this.#limit = Math.max(1, plan.maxLogRequests);
  }

  get keep(): KeepPlan {
    return this.#options.keep;
  }

  /** Whether containers are left out, so that a cursor must not count records. */
  get isPartial(): boolean {
    return this.late.length > 0 || isWithout(this.#plan);
  }

  /** The records of the selection, in the total order. */
  get last(): readonly LogRecord[] {
    return lastOf(this.#passed, this.count, this.isPartial);
  }

  /** Start time of a window without the late containers. */
  get begin(): Timestamp | undefined {
    const [first] = this.last;
    if (first !== undefined) return first.at;
    const passed = this.#passed.at(-1);
    // All records that fit have one time, and so do some that do not fit.
    return passed && nextTime(passed.at);
  }

  /** Whether the count left records out. */
  get isCut(): boolean {
    return this.#passed.length > this.last.length;
  }

  async *run(): AsyncGenerator<Frame, void, undefined> {
    const isInTurns = this.segments.length > this.#limit;
    if (isInTurns) yield turnsAhead(this.#limit, this.segments.length);
    let pending = this.segments;
    for (let round = 0; ; round++) {
      yield* this.#fillAll(pending, isInTurns && round === 0);
      pending = this.#judge();
      if (pending.length === 0 || this.#isUsedUp(pending)) break;
      if (round > 0) yield { type: 'progress', code: 'searching-back', data: { bytes: this.#bytes } };
      const factor =
        this.#input.matches === undefined ? 2 : searchStep(pending, bytesLeft(this.#plan, this.#bytes));
      for (const segment of pending) segment.want = Math.ceil(segment.want * factor);
    }
    if (this.stopped === undefined) return;
    const floor = this.stopped;
    // Some records at exactly the time of the floor may be unknown.
    this.#passed = this.#passed.filter((record) => compareTimestamps(record.at, floor) > 0);
    yield { type: 'notice', code: 'search-limit', data: { at: formatTimestamp(floor) } };
  }

  async *#fillAll(
    pending: readonly ContainerSegment[],
    reports: boolean,
  ): AsyncGenerator<Frame, void, undefined> {
    const total = pending.length;
    const unread = new Set(pending);
    const abort = new AbortController();
    const context = { ...this.#context, signal: AbortSignal.any([this.#context.signal, abort.signal]) };
    const read = (segment: ContainerSegment) => fill(context, segment, this.#options, this.#input);
    const afterMs = this.keep.timesOnly ? undefined : this.#plan.patienceMs;
    const stop = () => abort.abort(new Error('the window continues without it'));
    let isLate = false;
    for await (const segment of orLate(asTheyCome(this.#limit, pending, read), {
      clock: this.#context.clock,
      afterMs,
      stop,
    })) {
      if (segment === LATE) {
        isLate = true;
        yield { type: 'unanswered', targets: targetsOf(unread), forMs: afterMs ?? 0 };
      } else {
        unread.delete(segment);
        this.#bytes += segment.tail?.bytes ?? 0;
        this.#cutter.note(segment);
        if (reports)
          yield { type: 'progress', code: 'containers-read', data: { done: total - unread.size, total } };
        if (isLate) yield { type: 'answered', targets: [segment.target] };
      }
      if (isLate && unread.size > 0 && this.#isEnough(unread)) break;
    }
    this.#leaveOut(unread);
  }

  /** Whether the answered containers suffice for a window: it begins with a record, or it continues live. */
  #isEnough(unread: ReadonlySet<ContainerSegment>): boolean {
    const read = this.segments.filter((segment) => !unread.has(segment));
    if (this.#plan.window.follow) return read.length > 0;
    const everything = read.flatMap((segment) => segment.tail?.records ?? []).sort(compareRecords);
    return lastOf(passedInside(read, everything, this.#plan), this.count, true).length > 0;
  }

  #leaveOut(unread: ReadonlySet<ContainerSegment>): void {
    if (unread.size === 0) return;
    this.late = [...this.late, ...targetsOf(unread)];
    this.segments = this.segments.filter((segment) => !unread.has(segment));
    this.#cutter = new SegmentCutter(this.segments, this.keep);
  }

  /** Returns the containers that need more reading. */
  #judge(): readonly ContainerSegment[] {
    this.everything = this.segments.flatMap((segment) => segment.tail?.records ?? []).sort(compareRecords);
    this.#passed = passedInside(this.segments, this.everything, this.#plan);
    const pending = uncertain(this.segments, this.#passed, this.count + 1);
    return pending.length === 0 && this.count > 0 ? this.#withoutContext() : pending;
  }

  /** Returns the containers whose lines before a match are unknown. */
  #withoutContext(): readonly ContainerSegment[] {
    const first = this.#passed.at(-Math.min(this.count, this.#passed.length));
    const isShown = (record: LogRecord) => first !== undefined && compareRecords(record, first) >= 0;
    const matches = new Set(this.segments.flatMap((segment) => segment.passed.filter(isShown)));
    return readable(this.segments).filter(({ tail }) =>
      this.#input.records === undefined
        ? lacksContext(tail?.records ?? [], matches, this.#plan.filter)
        : lacksHead(tail?.records ?? [], matches),
    );
  }

  /** Whether the budget of a search is used up: then it stops here. */
  #isUsedUp(pending: readonly ContainerSegment[]): boolean {
    const { searchLimitBytes, window } = this.#plan;
    if (this.#input.matches === undefined || searchLimitBytes === 0) return false;
    if (this.#bytes < searchLimitBytes) return false;
    const floor = newestFloor(pending);
    // A search goes back at least one step, so that the next page begins before this one.
    if (floor === undefined || isAfterTo(justAfter(floor).at, window.to)) return false;
    this.stopped = floor;
    return true;
  }
}

function targetsOf(segments: Iterable<ContainerSegment>): readonly ContainerTarget[] {
  return [...segments].map(({ target }) => target);
}

/**
 * Returns the last `count` of these records. `isWhole`: none with the time of the first one is left out, so that the
 * time alone determines where they begin; if one of them is left out, all with that time are.
 */
function lastOf(passed: readonly LogRecord[], count: number, isWhole: boolean): readonly LogRecord[] {
  const last = count === 0 ? [] : passed.slice(-count);
  const leftOut = passed.at(-count - 1);
  const [first] = last;
  if (!isWhole || leftOut === undefined || first === undefined) return last;
  if (compareTimestamps(leftOut.at, first.at) !== 0) return last;
  return last.filter(({ at }) => compareTimestamps(at, first.at) > 0);
}

/** Returns the cursors of the pages before and after the shown records. */
function pageCursors(
  plan: EnginePlan,
  { segments, everything, stopped, isCut, isPartial, late, begin }: TailSearch,
  inside: readonly LogRecord[],
  chosen: readonly LogRecord[],
): { readonly prev: Cursor | undefined; readonly next: Cursor | undefined } {
  if (!plan.cursors) return { prev: undefined, next: undefined };
  const isWhole = everything.at(-1) === inside.at(-1);
  const isFurther = !isWhole || segments.some((segment) => segment.tail?.further);
  const borders = [chosen[0], chosen.at(-1)].flatMap((record) => (record === undefined ? [] : [record.at]));
  const counting = [...everything, ...talliedAt(segments, borders)].sort(compareRecords);
  const { prev, next } = cursorsOf(counting, chosen, isCut, isFurther);
  const searched = stopped !== undefined && !isCut ? justAfter(stopped) : undefined;
  // A count would only cover the records of some containers.
  const before = begin && { at: begin, shown: 0 };
  if (late.length > 0) return { prev: before, next };
  if (isPartial)
    return { prev: isCut ? before : searched, next: next && { at: nextTime(next.at), shown: 0 } };
  return { prev: prev ?? searched, next };
}

/** Whether the plan leaves containers out. */
function isWithout({ without }: EnginePlan): boolean {
  return without !== undefined && without.size > 0;
}

/** Whether a window is one of several pages, or may become one. */
function isPage({ window: { from, to }, cursors }: EnginePlan): boolean {
  return cursors || from?.kind === 'cursor' || to?.kind === 'cursor';
}

function keepPlan(input: WindowInput, plan: EnginePlan, count: number): KeepPlan {
  const { from, to } = plan.window;
  const hasCursor = isPage(plan);
  return {
    matches: input.matches,
    // Every line of a record may match.
    maxMatches: input.records === undefined ? count + SPARE_RECORDS : MAX_CANDIDATES,
    before: input.records === undefined ? plan.filter.beforeContext : MAX_RECORD_LINES,
    after: input.records === undefined ? plan.filter.afterContext : MAX_RECORD_LINES,
    timesOnly: count > LARGE_COUNT && input.matches === undefined,
    // A cursor counts all records at its time.
    isSparse: !hasCursor || input.matches !== undefined,
    tally: hasCursor
      ? [from, to].flatMap((bound) => (bound?.kind === 'cursor' ? [bound.cursor.at] : []))
      : undefined,
    countedAt: to?.kind === 'cursor' ? to.cursor.at : hasCursor ? 'everywhere' : 'nowhere',
  };
}

/**
 * Reads forward from the first record of a tail that was found by its time. Lines written meanwhile are excess, unless
 * it is followed.
 */
async function* readOn(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  everything: readonly LogRecord[],
  chosen: readonly LogRecord[],
  cut: boolean,
): WindowRead {
  const ranks = new Ranks();
  for (const record of everything) ranks.note(record);
  const cursor = ranks.before(chosen[0]!);
  const selection = plan.window.follow
    ? ({ kind: 'all' } as const)
    : ({ kind: 'head', count: chosen.length } as const);
  const window = { ...plan.window, selection, from: { kind: 'cursor', cursor } } as const;
  const result = yield* forwardWindow(context, input, { ...plan, window });
  const next = plan.window.to === undefined ? undefined : result.next;
  return { ...result, prev: plan.cursors && cut ? cursor : undefined, next, cut };
}

function bytesLeft({ searchLimitBytes }: EnginePlan, read: number): number {
  return searchLimitBytes > 0 ? searchLimitBytes - read : Number.POSITIVE_INFINITY;
}

/** Returns the factor for the next read of these containers; `left`: remaining bytes of the search limit. */
function searchStep(segments: readonly ContainerSegment[], left: number): number {
  const bytes = segments.reduce((sum, { tail }) => sum + (tail?.bytes ?? 0), 0);
  if (bytes < FAR_BYTES) return SEARCH_STEP;
  return Math.max(SEARCH_STEP, Math.min(FAR_STEP, left / bytes));
}

/** Returns the records between the cursors, from all records in the total order. */
function insideCursors(all: readonly LogRecord[], plan: EnginePlan): readonly LogRecord[] {
  const { from, to } = plan.window;
  if (from?.kind !== 'cursor' && to?.kind !== 'cursor') return all;
  const counter = new CursorCounter(from, to);
  return all.filter((record) => counter.sideOf(record) === 'inside');
}

/** Returns the records that passed the filter, in the total order; cursors count all records. */
function passedInside(segments: readonly ContainerSegment[], all: readonly LogRecord[], plan: EnginePlan) {
  const inside = insideCursors(all, plan);
  if (segments.every(({ passed, tail }) => passed === tail?.records)) return inside;
  const passed = new Set(segments.flatMap((segment) => segment.passed));
  return inside.filter((record) => passed.has(record));
}

function cursorsOf(
  everything: readonly LogRecord[],
  chosen: readonly LogRecord[],
  cut: boolean,
  isFurther: boolean,
): { prev?: Cursor | undefined; next?: Cursor | undefined } {
  const first = chosen[0];
  const last = chosen.at(-1);
  if (first === undefined || last === undefined) return {};
  const ranks = new Ranks();
  for (const record of everything) ranks.note(record);
  return { prev: cut ? ranks.before(first) : undefined, next: isFurther ? ranks.later(last) : undefined };
}

/**
 * Prepares the filter for live records: a new record may follow a shown match, or be a match that shows earlier lines.
 */
function primeContext(
  { makeFilter }: WindowInput,
  everything: readonly LogRecord[],
  matches: readonly LogRecord[],
): void {
  makeFilter?.().context?.prime(everything.filter(isKept), new Set(matches));
}

/** Returns all lines of the records with these heads, in the total order. */
function wholeRecords(
  segments: readonly ContainerSegment[],
  heads: readonly LogRecord[],
  tests: RecordTests,
): readonly LogRecord[] {
  const wanted = new Set(heads);
  return segments
    .flatMap(({ tail }) => passingRecords(tail?.records ?? [], tests))
    .filter(([head]) => wanted.has(head!))
    .flat()
    .sort(compareRecords);
}

/** Returns the position before which nothing was searched: after all records at that time. */
function justAfter(time: Timestamp): Cursor {
  return { at: nextTime(time), shown: 0 };
}

/** Returns what the node no longer has before the first shown records, or between shown ones. */
function* lostGaps(
  segments: readonly ContainerSegment[],
  plan: EnginePlan,
  shownFrom: Timestamp | undefined,
): Generator<Frame, void, undefined> {
  const { from, to } = plan.window;
  const range = { from: from && boundTime(from), to: to && boundTime(to) };
  for (const { target, tail } of segments) {
    for (const each of tail?.lost ?? []) {
      const lost = lostIn(each, range);
      const isShown = shownFrom === undefined || compareEnds(lost?.to, shownFrom) > 0;
      if (lost !== undefined && isShown) yield { type: 'gap', target, ...lost };
    }
  }
}
