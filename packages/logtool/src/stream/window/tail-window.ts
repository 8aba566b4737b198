import { asTheyCome } from '@logtool/kube/src/values/in-parallel.ts';
import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { nameList } from '../../domain/resolve-failures.ts';
import type { EnginePlan } from '../engine.ts';
import { lacksContext, withContext } from '../match/context-lines.ts';
import type { ReadContext } from '../read-context.ts';
import { CursorCounter, isAfterTo } from './bounds.ts';
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
import { turnsAhead, type WindowInput, type WindowRead } from './window-result.ts';

const BATCH_RECORDS = 256;
/** A larger tail is not held in memory: only the times find its beginning, and it is read from there. */
const LARGE_COUNT = 20_000;
/** A search goes back in steps, each of which reads the previous one's records once more. */
const SEARCH_STEP = 4;
/**
 * If this much was read without a match, the word is rare, and most likely everything must be read: in one
 * more step.
 */
const FAR_BYTES = 4 * 1024 * 1024;
const FAR_STEP = 64;

/**
 * Tail: the last N of the merged order. Asks each container for its share, and again for more only where its first
 * known record lies after the N-th of all, so that many containers do not cost N each.
 */
export async function* tailWindow(context: ReadContext, input: WindowInput, plan: EnginePlan): WindowRead {
  const search = new TailSearch(context, input, plan);
  yield* search.run();
  const { segments, everything, isCut } = search;
  const inside = insideCursors(everything, plan);
  const matches = search.last;
  const chosen = withContext(inside, matches, plan.filter);
  if (matches.length < search.count && segments.some((segment) => segment.tail?.rotated))
    yield rotatedNotice(segments);
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
    cut: isCut,
    last: chosen.at(-1),
  };
}

/** Searches back through all containers until the last records that are wanted are certain. */
class TailSearch {
  readonly #context: ReadContext;
  readonly #input: WindowInput;
  readonly #plan: EnginePlan;
  readonly #options: ContainerTailOptions;
  readonly #cutter: SegmentCutter;
  readonly #limit: number;
  /** Of the selection. */
  readonly count: number;
  readonly segments: readonly ContainerSegment[];
  /** All that is known, in the total order. */
  everything: readonly LogRecord[] = [];
  /** What of it passes the filter inside the window. */
  #passed: readonly LogRecord[] = [];
  /** Up to this time nothing was searched: the budget was used up. */
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

  /** The records of the selection, in the total order. */
  get last(): readonly LogRecord[] {
    return this.count === 0 ? [] : this.#passed.slice(-this.count);
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
    // At the very time of the floor some may be unknown.
    this.#passed = this.#passed.filter((record) => compareTimestamps(record.at, floor) > 0);
    yield { type: 'notice', code: 'search-limit', data: { at: formatTimestamp(floor) } };
  }

  async *#fillAll(
    pending: readonly ContainerSegment[],
    reports: boolean,
  ): AsyncGenerator<Frame, void, undefined> {
    const total = pending.length;
    const read = (segment: ContainerSegment) => fill(this.#context, segment, this.#options, this.#input);
    let done = 0;
    for await (const segment of asTheyCome(this.#limit, pending, read)) {
      done++;
      this.#bytes += segment.tail?.bytes ?? 0;
      this.#cutter.note(segment);
      if (reports) yield { type: 'progress', code: 'containers-read', data: { done, total } };
    }
  }

  /** The containers that need more reading. */
  #judge(): readonly ContainerSegment[] {
    this.everything = this.segments.flatMap((segment) => segment.tail?.records ?? []).sort(compareRecords);
    this.#passed = passedInside(this.segments, this.everything, this.#plan);
    const pending = uncertain(this.segments, this.#passed, this.count + 1);
    return pending.length === 0 && this.count > 0 ? this.#withoutContext() : pending;
  }

  /** The containers whose lines before a match are unknown. */
  #withoutContext(): readonly ContainerSegment[] {
    const first = this.#passed.at(-Math.min(this.count, this.#passed.length));
    const isShown = (record: LogRecord) => first !== undefined && compareRecords(record, first) >= 0;
    const matches = new Set(this.segments.flatMap((segment) => segment.passed.filter(isShown)));
    return readable(this.segments).filter(({ tail }) =>
      lacksContext(tail?.records ?? [], matches, this.#plan.filter),
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

/** The cursors of the pages before and after the records that are shown. */
function pageCursors(
  plan: EnginePlan,
  { segments, everything, stopped, isCut }: TailSearch,
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
  return { prev: prev ?? searched, next };
}

/** Whether a window is one of several that are walked through, or may become one. */
function isPage({ window: { from, to }, cursors }: EnginePlan): boolean {
  return cursors || from?.kind === 'cursor' || to?.kind === 'cursor';
}

function keepPlan(input: WindowInput, plan: EnginePlan, count: number): KeepPlan {
  const { from, to } = plan.window;
  const hasCursor = isPage(plan);
  return {
    matches: input.matches,
    maxMatches: count + SPARE_RECORDS,
    before: plan.filter.beforeContext,
    after: plan.filter.afterContext,
    timesOnly: count > LARGE_COUNT && input.matches === undefined,
    // The count of a cursor is of all records at its time.
    isSparse: !hasCursor || input.matches !== undefined,
    tally: hasCursor
      ? [from, to].flatMap((bound) => (bound?.kind === 'cursor' ? [bound.cursor.at] : []))
      : undefined,
    countedAt: to?.kind === 'cursor' ? to.cursor.at : hasCursor ? 'everywhere' : 'nowhere',
  };
}

/**
 * Reads forward from the first record of a tail that was found by its time. Lines written meanwhile are
 * excess, unless it is followed.
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

/** How many times more of these containers is read; `left`: bytes of the search limit. */
function searchStep(segments: readonly ContainerSegment[], left: number): number {
  const bytes = segments.reduce((sum, { tail }) => sum + (tail?.bytes ?? 0), 0);
  if (bytes < FAR_BYTES) return SEARCH_STEP;
  return Math.max(SEARCH_STEP, Math.min(FAR_STEP, left / bytes));
}

/** Of all records in the total order, those between the cursors. */
function insideCursors(all: readonly LogRecord[], plan: EnginePlan): readonly LogRecord[] {
  const { from, to } = plan.window;
  if (from?.kind !== 'cursor' && to?.kind !== 'cursor') return all;
  const counter = new CursorCounter(from, to);
  return all.filter((record) => counter.sideOf(record) === 'inside');
}

/** The records that passed the filter, in the total order; the counts of cursors are of all records. */
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

/** What comes may follow a match that was shown, or be one for which lines that were written before are shown. */
function primeContext(
  { makeFilter }: WindowInput,
  everything: readonly LogRecord[],
  matches: readonly LogRecord[],
): void {
  const lines = makeFilter?.().context?.lines;
  const shown = new Set(matches);
  if (lines !== undefined)
    for (const record of everything) if (isKept(record)) lines.take(record, shown.has(record), []);
}

/** The position before which nothing was searched: after all records at that time. */
function justAfter({ seconds, nanos }: Timestamp): Cursor {
  const at = nanos === 999_999_999 ? { seconds: seconds + 1, nanos: 0 } : { seconds, nanos: nanos + 1 };
  return { at, shown: 0 };
}

/** Containers that a notice names. */
const MAX_NAMED = 3;

function rotatedNotice(segments: readonly ContainerSegment[]) {
  const rotated = segments
    .filter((segment) => segment.tail?.rotated)
    .map(({ target }) => `${target.pod}/${target.container}`);
  return { type: 'notice', code: 'rotated', data: { containers: nameList(rotated, MAX_NAMED) } } as const;
}
