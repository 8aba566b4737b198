import { setMaxListeners } from 'node:events';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { nextTime } from '../../domain/coverage/interval.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, isAfterTo } from '../../domain/window.ts';
import type { BatchFilter } from '../match/batch-filter.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { hasRecordBefore } from '../run/first-record.ts';
import { batchLinesFor } from '../run/open-log.ts';
import { Spill } from '../spill/spill.ts';
import { ContainerLane } from './container-lane.ts';
import { ContextPage } from './context-page.ts';
import { CountedPage, type Page } from './counted-page.ts';
import { type AnsweredLanes, leaveOutLate } from './leave-out-late.ts';
import { mergeOrdered } from './merge.ts';
import { type OpenLanes, openLanes, type TurnPatience } from './open-lanes.ts';
import { WindowBorders } from './window-borders.ts';
import type { WindowInput, WindowRead } from './window-result.ts';

/** By container: aborts its reading. */
type LaneStops = ReadonlyMap<string, AbortController>;

/** Head and all: reads from the window's beginning in the total order, until its end or until the count is full. */
export async function* forwardWindow(context: ReadContext, input: WindowInput, plan: EnginePlan): WindowRead {
  const filter = input.makeFilter?.();
  const borders = new WindowBorders(plan);
  const abort = new AbortController();
  const stops = new Map<string, AbortController>();
  const newLanes = lanesOf(context, input, plan, abort.signal, stops);
  const spill = new Spill(input.targets.length);
  let lanes: readonly ContainerLane[] = [];
  let late: readonly ContainerTarget[] = [];
  let page = pageOf(input, plan, filter, isPartial(plan, late));
  let last: LogRecord | undefined;
  try {
    const opened = yield* openLanes(
      newLanes,
      { spill, ...whatIsKept(plan, filter) },
      { plan, report: context.report, patience: patienceOf(context, plan, stops) },
    );
    const { batches, late: left } = yield* answeredLanes(context, opened, plan, stops);
    late = left;
    page = pageOf(input, plan, filter, isPartial(plan, late));
    lanes = opened.lanes.filter(({ end }) => !late.includes(end.target));
    const stop = () => abort.abort(new Error('the window is full'));
    for await (const batch of mergeOrdered(page.lanes(batches), stop)) {
      const inside = borders.inside(batch);
      const prepared = page.prepare(inside);
      if (prepared !== undefined) await prepared;
      const records = page.take(inside);
      borders.note(records);
      if (records.length > 0) {
        last = records.at(-1);
        yield { type: 'records', records };
      }
      if (borders.isPassed || page.isOver) break;
    }
  } finally {
    await spill.close();
  }
  const isLate = late.length > 0;
  return {
    ends: new Map(lanes.map(({ end: reached }) => [reached.target.id, reached])),
    ...(await neighbors(context, input, plan, { borders, page, last, isPartial: isPartial(plan, late) })),
    cut: page.isCut,
    last,
    late: isLate ? { targets: late, from: timeOf(plan.window.from) } : undefined,
  };
}

interface ReadWindow {
  readonly borders: WindowBorders;
  readonly page: Page;
  readonly last: LogRecord | undefined;
  readonly isPartial: boolean;
}

/** Returns the cursors of the neighboring pages. */
async function neighbors(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
  { borders, page, last, isPartial: isWithoutSome }: ReadWindow,
): Promise<{ readonly prev: Cursor | undefined; readonly next: Cursor | undefined }> {
  const hasMore = borders.isPassed || page.isOver;
  if (!isWithoutSome)
    return { prev: await prevCursor(context, input, plan, borders), next: hasMore ? borders.end : undefined };
  // A count would only cover the records of some containers.
  const end = last === undefined ? borders.end : { at: nextTime(last.at), shown: 0 };
  return { prev: undefined, next: hasMore ? end : undefined };
}

/** Whether the window has records of some containers only. */
function isPartial({ without }: EnginePlan, late: readonly ContainerTarget[]): boolean {
  return late.length > 0 || (without !== undefined && without.size > 0);
}

/** Returns how long a window waits for containers that do not answer, and how to end all reads. */
function patienceOf({ clock }: ReadContext, plan: EnginePlan, stops: LaneStops): TurnPatience {
  const stop = () => {
    for (const own of stops.values()) own.abort(new Error('the window continues without it'));
  };
  return { clock, patienceMs: patienceMsOf(plan), stop };
}

function patienceMsOf({ patienceMs, window: { selection } }: EnginePlan): number | undefined {
  return selection.kind === 'head' ? patienceMs : undefined;
}

/** Returns the answered lanes, if a window does not wait for all. Those that took turns have answered. */
async function* answeredLanes(
  { clock }: ReadContext,
  { lanes, batches, isAtOnce, late }: OpenLanes,
  plan: EnginePlan,
  stops: LaneStops,
): AsyncGenerator<Frame, AnsweredLanes, undefined> {
  const patienceMs = patienceMsOf(plan);
  if (patienceMs === undefined || !isAtOnce) return { batches, late };
  const opened = lanes.map(({ end: { target } }, index) => ({
    target,
    batches: batches[index]!,
    stop: () => stops.get(target.id)?.abort(new Error('the window continues without it')),
  }));
  return yield* leaveOutLate(opened, { clock, patienceMs });
}

function timeOf(bound: Bound | undefined): Timestamp | undefined {
  if (bound === undefined) return undefined;
  return bound.kind === 'cursor' ? bound.cursor.at : bound.at;
}

function countOf({ window: { selection } }: EnginePlan): number {
  return selection.kind === 'head' ? selection.count : Number.POSITIVE_INFINITY;
}

function pageOf(
  input: WindowInput,
  plan: EnginePlan,
  filter: BatchFilter | undefined,
  isWhole: boolean,
): Page {
  const search = filter?.context;
  if (search === undefined) return new CountedPage(countOf(plan), filter, isWhole);
  const { to, selection } = plan.window;
  return new ContextPage(countOf(plan), search, {
    ids: input.targets.map(({ id }) => id),
    isOutside: to && (({ at }) => isAfterTo(at, to)),
    wholeContext: selection.kind === 'head' && selection.wholeContext === true,
  });
}

/** Creates the lanes of the containers; their reports go to the given receiver. */
function lanesOf(
  context: ReadContext,
  { targets }: WindowInput,
  { window: { from, to, previous, follow } }: EnginePlan,
  stop: AbortSignal,
  stops: Map<string, AbortController>,
): Parameters<typeof openLanes>[0] {
  const signal = AbortSignal.any([context.signal, stop]);
  // Each lane listens to the signal.
  setMaxListeners(0, stop);
  setMaxListeners(0, signal);
  const reading: ReadContext = { ...context, signal, batchLines: batchLinesFor(targets.length) };
  const options = { from, to, previous, thenFollow: follow };
  return (report) =>
    targets.map((target) => {
      const own = new AbortController();
      stops.set(target.id, own);
      const either = AbortSignal.any([signal, own.signal]);
      const reportOwn = (frame: Frame) => report(frame, target);
      return new ContainerLane({ ...reading, report: reportOwn, signal: either }, target, options);
    });
}

/**
 * Returns what to keep of a container while others are read: only the matches, if no cursor counts and no context is
 * needed.
 */
function whatIsKept(
  plan: EnginePlan,
  filter: BatchFilter | undefined,
): { readonly sift: BatchFilter | undefined; readonly maxRecords: number } {
  const { from, to } = plan.window;
  const isCounted = to?.kind === 'cursor' || from?.kind === 'cursor' || plan.cursors;
  const sift = isCounted || filter?.context !== undefined ? undefined : filter;
  const before = from?.kind === 'cursor' ? from.cursor.shown : 0;
  return { sift, maxRecords: filter === sift ? countOf(plan) + before + 1 : Number.POSITIVE_INFINITY };
}

/** Returns where the previous page ends, if it exists. */
async function prevCursor(
  context: ReadContext,
  input: WindowInput,
  { window: { from, previous } }: EnginePlan,
  { start }: WindowBorders,
): Promise<Cursor | undefined> {
  if (start === undefined || start.shown > 0) return start;
  if (from === undefined) return undefined;
  if (from.kind === 'cursor' && from.cursor.shown > 0) return start;
  return (await hasRecordBefore(context, input.targets, start.at, previous)) ? start : undefined;
}
