import { setMaxListeners } from 'node:events';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import { hasRecordBefore } from '../run/first-record.ts';
import { batchLinesFor } from '../run/lines-of.ts';
import { takeUpContext } from './border-context.ts';
import { CursorCounter, isBehindTo } from './bounds.ts';
import { ContainerLane, type LaneOptions } from './container-lane.ts';
import { ContextPage } from './context-page.ts';
import { inTurns, turnsAhead } from './in-turns.ts';
import { type Marks, markedLane } from './marked-lane.ts';
import { mergeOrdered, type OrderedBatches } from './merge.ts';
import { Ranks } from './ranks.ts';
import { isDiskFailure, Spill } from './spill.ts';
import type { BatchFilter, WindowInput, WindowRead } from './window-result.ts';

/** Head and all: from the window's beginning in the total order, until its end or until the count is full. */
export async function* forwardWindow(context: ReadContext, input: WindowInput, plan: EnginePlan): WindowRead {
  const { window } = plan;
  const filter = input.makeFilter?.();
  const search = filter?.context;
  // What comes behind a page may be a match for which lines of the page are shown.
  const isPage = window.to?.kind === 'cursor';
  const options: LaneOptions = {
    from: window.from,
    to: window.to,
    previous: window.previous,
    thenFollow: window.follow,
    ...(isPage && search !== undefined ? { behind: Math.max(1, plan.filter.beforeContext) } : {}),
  };
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const signal = AbortSignal.any([context.signal, abort.signal]);
  setMaxListeners(0, signal);
  const batchLines = batchLinesFor(input.targets.length);
  const reading: ReadContext = { ...context, signal, batchLines };
  const newLanes = (report: ReadContext['report']) =>
    input.targets.map((target) => new ContainerLane({ ...reading, report }, target, options));
  const count = window.selection.kind === 'head' ? window.selection.count : Number.POSITIVE_INFINITY;
  const inFront = window.from?.kind === 'cursor' ? window.from.cursor.shown : 0;
  const isCounted = isPage || window.from?.kind === 'cursor' || plan.cursors;
  // Where no cursor counts the lines between, and none is shown around a match, matches alone are kept.
  const sift = isCounted || search !== undefined ? undefined : filter;
  const mostRecords = filter === sift ? count + inFront + 1 : Number.POSITIVE_INFINITY;
  const counter = new CursorCounter(window.from, window.to);
  const ranks = new Ranks(window.from?.kind === 'cursor' ? window.from.cursor.at : undefined);
  const plain = window.from?.kind !== 'cursor' && window.to === undefined && !plan.cursors;
  if (search !== undefined) await takeUpContext(context, input, plan, search.lines);
  const marks: Marks = new Map();
  const ids = input.targets.map(({ id }) => id);
  const page = search && new ContextPage(count, marks, search.lines, plan.filter.afterContext, ids);
  let shown = 0;
  let first: LogRecord | undefined;
  let last: LogRecord | undefined;
  let more = false;
  let cut = false;
  const spill = new Spill(input.targets.length);
  let lanes: readonly ContainerLane[] = [];
  const stop = () => abort.abort(new Error('the window is full'));
  try {
    const opened = yield* openLanes(newLanes, { spill, sift, mostRecords }, plan, context.report);
    lanes = opened.lanes;
    const isOutside = ({ at }: LogRecord) => !isPage && isBehindTo(at, window.to);
    const batches = opened.batches.map((lane, index) => {
      if (search === undefined || page === undefined) return lane;
      const laneOptions = { id: ids[index]!, givesAll: !plain, isOutside };
      return markedLane(lane, search, marks, (id, last) => page.ended(id, last), laneOptions);
    });
    const merged = mergeOrdered(batches, stop);
    for await (const batch of merged) {
      let inside = batch;
      if (!plain) {
        const kept: LogRecord[] = [];
        for (const record of batch) {
          if (plan.cursors) ranks.note(record);
          const place = counter.place(record);
          if (place === 'inside') kept.push(record);
          if (place === 'before') page?.skip(record);
          if (place === 'behind') {
            more = true;
            break;
          }
        }
        inside = kept;
      }
      const prepared = page === undefined ? filter?.prepare?.(inside) : undefined;
      if (prepared !== undefined) await prepared;
      let passed: readonly LogRecord[] =
        page?.take(inside) ?? (filter === undefined ? inside : filter(inside));
      if (page !== undefined) {
        cut = page.isCut;
        more ||= page.isOver;
      } else if (shown + passed.length > count) {
        passed = passed.slice(0, count - shown);
        cut = true;
        more = true;
      } else if (shown + passed.length === count && inside.length > 0 && isFurther(inside, passed)) {
        more = true;
      }
      shown += passed.length;
      if (passed.length > 0) {
        for (const record of plan.cursors ? passed : []) {
          if (first === undefined || compareRecords(record, first) < 0) first = record;
          if (last === undefined || compareRecords(record, last) > 0) last = record;
        }
        yield { type: 'records', records: passed };
      }
      if (more) break;
    }
  } finally {
    await spill.close();
  }
  const prev =
    plan.cursors && first !== undefined ? await prevCursor(context, input, plan, ranks, first) : undefined;
  const next = plan.cursors && more && last !== undefined ? ranks.behind(last) : undefined;
  return { ends: new Map(lanes.map((lane) => [lane.end.target.id, lane.end])), prev, next, cut };
}

/** Whether there are records behind the last one that passed, although none of them passed. */
function isFurther(inside: readonly LogRecord[], passed: readonly LogRecord[]): boolean {
  return passed.length === 0 || inside.at(-1) !== passed.at(-1);
}

/** Throws the error where it says something else than that there is no place to write to. */
function noTemporaryFile(error: unknown, containers: number): Frame {
  if (!isDiskFailure(error)) throw error;
  const text = `the temporary file of what is read in turns cannot be written (${error.message}); reading all ${containers} containers at once`;
  return { type: 'notice', code: 'no-temporary-file', text };
}

interface OpenLanes {
  readonly lanes: readonly ContainerLane[];
  readonly batches: readonly OrderedBatches[];
}

interface SpillPlan {
  readonly spill: Spill;
  /** What passes it is kept; everything where it is undefined. */
  readonly sift: BatchFilter | undefined;
  /** Of each container. */
  readonly mostRecords: number;
}

/**
 * A merge needs a record of every container. Where there are more than may be read at once, all are read first, in
 * turns, to a temporary file; of each only as much as the window can need. (To leave some connections open meanwhile
 * saves little of the file, and costs the memory that each of them holds.) Where nothing can be written, or no more, all
 * are read at once: more requests than one would wish, but the window is there.
 */
async function* openLanes(
  newLanes: (report: ReadContext['report']) => readonly ContainerLane[],
  { spill, sift, mostRecords }: SpillPlan,
  plan: EnginePlan,
  report: ReadContext['report'],
): AsyncGenerator<Frame, OpenLanes, undefined> {
  const limit = Math.max(1, plan.maxLogRequests);
  const atOnce = () => {
    const lanes = newLanes(report);
    return { lanes, batches: lanes.map((lane) => lane.batches()) };
  };
  // What is told of containers that are read once more is not told twice.
  const told: Frame[] = [];
  const lanes = newLanes((frame) => told.push(frame));
  if (lanes.length <= limit) return atOnce();
  try {
    await spill.open();
  } catch (error) {
    yield noTemporaryFile(error, lanes.length);
    return atOnce();
  }
  yield turnsAhead(limit, lanes.length);
  // In the order of the containers, so that the result does not depend on who answers first.
  const batches: OrderedBatches[] = [];
  const read = async ({ lane, index }: { lane: ContainerLane; index: number }) => {
    const all = lane.batches();
    batches[index] = await spill.take(sift === undefined ? all : sifted(all, sift), mostRecords);
  };
  let done = 0;
  try {
    for await (const _ of inTurns(
      lanes.map((lane, index) => ({ lane, index })),
      limit,
      read,
    )) {
      done++;
      const text = `${done} of ${lanes.length} containers read; --max-log-requests reads more at once`;
      yield { type: 'progress', text, done, total: lanes.length };
    }
  } catch (error) {
    const notice = noTemporaryFile(error, lanes.length);
    await spill.close();
    yield notice;
    return atOnce();
  }
  for (const frame of told) report(frame);
  return { lanes, batches };
}

async function* sifted(
  lane: AsyncIterable<readonly LogRecord[]>,
  sift: BatchFilter,
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  for await (const batch of lane) {
    const prepared = sift.prepare?.(batch);
    if (prepared !== undefined) await prepared;
    const passed = sift(batch);
    if (passed.length > 0) yield passed;
  }
}

async function prevCursor(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  ranks: Ranks,
  first: LogRecord,
) {
  const { from, previous } = plan.window;
  const position = ranks.before(first);
  if (position.shown > 0) return position;
  if (from === undefined) return undefined;
  if (from.kind === 'cursor' && from.cursor.shown > 0) return position;
  return (await hasRecordBefore(context, input.targets, first.at, previous)) ? position : undefined;
}
