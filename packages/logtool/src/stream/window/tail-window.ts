import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Cursor } from '../../domain/cursor.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import { CursorCounter, isBehindTo } from './bounds.ts';
import { type ContainerTailOptions, reportTail } from './container-tail.ts';
import { forwardWindow } from './forward-window.ts';
import { inTurns, turnsAhead } from './in-turns.ts';
import { Ranks } from './ranks.ts';
import { firstWant, SPARE_RECORDS } from './tail-ask.ts';
import { lacksContext, lacksMatches, withContext } from './tail-context.ts';
import { hasContext, isKept, type KeepPlan } from './tail-keeper.ts';
import { behind, isPage, tailPage } from './tail-page.ts';
import { fill, newestFloor, newPart, type Part, readable, talliedAt, uncertain } from './tail-part.ts';
import { PartsCutter } from './tail-parts-cutter.ts';
import type { WindowInput, WindowRead } from './window-result.ts';

const BATCH_RECORDS = 256;
/** A tail of more is not held in memory: its beginning is found by the times alone, and read from there. */
const LARGE_COUNT = 20_000;
/** A search goes back in steps, each of which reads what the one before it has read once more. */
const SEARCH_STEP = 4;
/** Where so much was read in vain, the word is rare, and most likely all has to be read: in one step more. */
const FAR_BYTES = 4 * 1024 * 1024;
const FAR_STEP = 64;

/**
 * Tail: the last N of the merged order. Asks each container for its share, and again for more only where its first
 * known record lies behind the N-th of all, so that many containers do not cost N each.
 */
export async function* tailWindow(context: ReadContext, input: WindowInput, plan: EnginePlan): WindowRead {
  const { window } = plan;
  const count = window.selection.kind === 'tail' ? window.selection.count : 0;
  const options: ContainerTailOptions = {
    from: window.from,
    to: window.to,
    previous: window.previous,
    thenFollow: window.follow,
    behindTo: plan.behindTo,
    keep: keepPlan(input, plan, count),
  };
  const hasLive = window.follow && count > 0;
  const want = firstWant(plan, count, input.targets.length);
  const parts = input.targets.map((target) => newPart(target, want));
  const cutter = new PartsCutter(parts, options.keep);
  let pending: readonly Part[] = parts;
  let bytes = 0;
  let passed: readonly LogRecord[] = [];
  let everything: readonly LogRecord[] = [];
  let stopped: Timestamp | undefined;
  const limit = Math.max(1, plan.maxLogRequests);
  const isInTurns = parts.length > limit;
  if (isInTurns) yield turnsAhead(limit, parts.length);
  for (let round = 0; ; round++) {
    let done = 0;
    for await (const part of inTurns(pending, limit, (one) => fill(context, one, options, input))) {
      done++;
      bytes += part.tail?.bytes ?? 0;
      cutter.note(part);
      if (isInTurns && round === 0) {
        yield {
          type: 'progress',
          text: `${done} of ${pending.length} containers read`,
          done,
          total: pending.length,
        };
      }
    }
    everything = parts.flatMap((part) => part.tail?.records ?? []).sort(compareRecords);
    passed = passedInside(parts, everything, plan);
    pending = uncertain(parts, passed, count + 1);
    if (pending.length === 0 && count > 0) {
      const before = isPage(plan) ? passed.at(-1 - count) : undefined;
      const first = passed.at(-Math.min(count, passed.length));
      const isShown = (record: LogRecord) => first !== undefined && compareRecords(record, first) >= 0;
      const matches = new Set(parts.flatMap((part) => part.passed.filter(isShown)));
      pending = readable(parts).filter(
        (part) =>
          lacksContext(part.tail?.records ?? [], matches, plan.filter) ||
          lacksMatches(part, before, plan.filter),
      );
    }
    if (pending.length === 0) break;
    if (input.matches !== undefined && plan.searchLimitBytes > 0 && bytes >= plan.searchLimitBytes) {
      const floor = newestFloor(pending);
      // A search goes back at least one step, so that the next page begins in front of this one.
      if (floor !== undefined && !isBehindTo(justBehind(floor).at, window.to)) {
        stopped = floor;
        break;
      }
    }
    if (round > 0)
      yield { type: 'progress', text: `searching further back, ${Math.round(bytes / 1e6)} MB read` };
    const factor = input.matches === undefined ? 2 : searchStep(pending, bytesLeft(plan, bytes));
    for (const part of pending) part.want = Math.ceil(part.want * factor);
  }
  if (stopped !== undefined) {
    const floor = stopped;
    // At the very time of the floor some may be unknown.
    passed = passed.filter((record) => compareTimestamps(record.at, floor) > 0);
    const text = `searched back to ${formatTimestamp(stopped)}; --search-limit searches further`;
    yield { type: 'notice', code: 'search-limit', text };
  }
  const matches = count === 0 ? [] : passed.slice(-count);
  const cut = passed.length > matches.length;
  const found = { parts, everything, passed, matches, stopped };
  const inside = insideCursors(everything, plan);
  let chosen = withContext(inside, matches, plan.filter);
  if (isPage(plan) && count > 0 && hasContext(options.keep)) {
    const isInside = new Set(inside);
    chosen = (await tailPage(context, input, plan, found)).filter((record) => isInside.has(record));
  }
  if (matches.length < count && parts.some((part) => part.tail?.rotated)) yield rotatedNotice(parts);
  if (options.keep.timesOnly && chosen.length > 0)
    return yield* readOn(context, input, plan, everything, chosen, cut);
  for (const { tail, reports } of parts) {
    for (const frame of reports) context.report(frame);
    if (tail !== undefined) reportTail(context, tail);
  }
  for (let index = 0; index < chosen.length; index += BATCH_RECORDS) {
    yield { type: 'records', records: chosen.slice(index, index + BATCH_RECORDS) };
  }
  if (hasLive) primeContext(input, everything, matches);
  const isWhole = everything.at(-1) === inside.at(-1);
  const isFurther = !isWhole || parts.some((part) => part.tail?.further);
  const borders = [chosen[0], chosen.at(-1)].flatMap((record) => (record === undefined ? [] : [record.at]));
  const counting = plan.cursors ? [...everything, ...talliedAt(parts, borders)].sort(compareRecords) : [];
  const cursors = plan.cursors ? cursorsOf(counting, chosen, cut, isFurther) : {};
  const searched = plan.cursors && stopped !== undefined && !cut ? justBehind(stopped) : undefined;
  return {
    ends: new Map(
      parts.flatMap((part) => (part.tail === undefined ? [] : [[part.target.id, part.tail.end]])),
    ),
    prev: cursors.prev ?? searched,
    next: cursors.next,
    cut,
  };
}

function keepPlan(input: WindowInput, plan: EnginePlan, count: number): KeepPlan {
  const { from, to } = plan.window;
  const hasCursor = isPage(plan);
  return {
    matches: input.matches,
    mostMatches: count + SPARE_RECORDS,
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
 * Reads forward from the first record of a tail that was found by its time. What is written meanwhile is more than was
 * asked for, unless it is followed.
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
function searchStep(parts: readonly Part[], left: number): number {
  const bytes = parts.reduce((sum, { tail }) => sum + (tail?.bytes ?? 0), 0);
  if (bytes < FAR_BYTES) return SEARCH_STEP;
  return Math.max(SEARCH_STEP, Math.min(FAR_STEP, left / bytes));
}

/** Of all records in the total order, those between the cursors. */
function insideCursors(all: readonly LogRecord[], plan: EnginePlan): readonly LogRecord[] {
  const { from, to } = plan.window;
  if (from?.kind !== 'cursor' && to?.kind !== 'cursor') return all;
  const counter = new CursorCounter(from, to);
  return all.filter((record) => counter.place(record) === 'inside');
}

/** The records that passed the filter, in the total order; the counts of cursors are of all records. */
function passedInside(parts: readonly Part[], all: readonly LogRecord[], plan: EnginePlan) {
  const inside = insideCursors(all, plan);
  if (parts.every(({ passed, tail }) => passed === tail?.records)) return inside;
  const passed = new Set(parts.flatMap((part) => part.passed));
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
  return { prev: cut ? ranks.before(first) : undefined, next: isFurther ? ranks.behind(last) : undefined };
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

/** The position in front of which nothing was searched: behind all records at that time. */
function justBehind(floor: Timestamp): Cursor {
  return { at: behind(floor), shown: 0 };
}

function rotatedNotice(parts: readonly Part[]) {
  const rotated = parts
    .filter((part) => part.tail?.rotated)
    .map(({ target }) => `${target.pod}/${target.container}`);
  const more = rotated.length > 3 ? ` and ${rotated.length - 3} more` : '';
  const names = rotated.slice(0, 3).join(', ') + more;
  const text = `older lines of ${names} may have been rotated away on the node; the cluster serves no more than this`;
  return { type: 'notice', code: 'rotated', text } as const;
}
