import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { BatchFilter, MakeFilter, WaitingRecords } from '../match/batch-filter.ts';
import { shownOf } from '../match/context-lines.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import type { LateContainers } from '../window/window-result.ts';
import { Followers } from './followers.ts';
import { LiveMerge } from './live-merge.ts';
import { Reconnects } from './reconnects.ts';
import type { ResolveFeed } from './resolve-feed.ts';

/**
 * Runs the live part of a view: continues after the backlog of each container, adds containers that join, and ends when
 * all have finished and none can come. `last`: the last record of the backlog; `late`: containers missing from it,
 * because they had not answered.
 */
export async function* followContainers(
  context: ReadContext,
  feed: ResolveFeed,
  ends: ReadonlyMap<string, LaneEnd>,
  targets: readonly ContainerTarget[],
  makeFilter: MakeFilter | undefined,
  plan: EnginePlan,
  last: LogRecord | undefined,
  late?: LateContainers,
): AsyncGenerator<Frame, void, undefined> {
  // Lines before a match arrive with it: the more records arrive together, the more of them are in order.
  const merge = new LiveMerge(context.clock, last, {
    waits: plan.filter.beforeContext > 0 || (makeFilter !== undefined && plan.filter.wholeRecords === true),
  });
  const reconnects = new Reconnects(context.clock, (frame) => merge.frame(frame));
  const live: ReadContext = { ...context, report: (frame) => reconnects.take(frame) };
  const followers = new Followers(live, plan, merge, feed);
  followers.startAll(targets, ends, late);
  followers.takeAll().catch((error: unknown) => merge.close({ error }));
  const onAbort = () => merge.close({ error: context.signal.reason });
  if (context.signal.aborted) onAbort();
  else context.signal.addEventListener('abort', onAbort, { once: true });
  followers.settle();
  try {
    yield* filtered(merge.frames(), context, makeFilter, lateMarker(last));
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    reconnects.close();
    merge.close();
  }
}

async function* filtered(
  frames: AsyncGenerator<Frame, void, undefined>,
  context: ReadContext,
  makeFilter: MakeFilter | undefined,
  markLate: (records: readonly LogRecord[]) => readonly LogRecord[],
): AsyncGenerator<Frame, void, undefined> {
  const filter = makeFilter?.();
  if (filter === undefined) return yield* frames;
  const inOrder = filter.context === undefined ? (records: readonly LogRecord[]) => records : markLate;
  const waiting = filter.context?.waiting;
  for await (const frame of waiting === undefined ? frames : withPauses(frames, context.clock, waiting)) {
    const records = inOrder(await shownAt(frame, filter));
    yield* framesOf(records);
    if (frame === PAUSE) continue;
    if (frame.type !== 'records') yield frame;
    else if (records.length === 0) yield* context.takeReports?.() ?? [];
  }
  yield* framesOf(inOrder(shownOf((reported) => waiting?.settleAll(reported))));
}

function framesOf(records: readonly LogRecord[]): readonly Frame[] {
  return records.length === 0 ? [] : [{ type: 'records', records }];
}

/** Returns the records to show when a frame arrives; for a frame without records, those that precede it. */
async function shownAt(frame: Frame | typeof PAUSE, filter: BatchFilter): Promise<readonly LogRecord[]> {
  if (frame === PAUSE || frame.type !== 'records') return restBefore(frame, filter.context?.waiting);
  const prepared = filter.prepare?.(frame.records);
  if (prepared !== undefined) await prepared;
  return filter(frame.records);
}

/** A record is complete if its container writes nothing for this long, at most twice as long, in ms. */
const RECORD_PAUSE_MS = 250;
/** Marks, among frames, that lines have waited for later ones for RECORD_PAUSE_MS. */
const PAUSE = Symbol('pause');

/** Yields the frames, with pauses while lines wait. */
async function* withPauses(
  frames: AsyncGenerator<Frame, void, undefined>,
  clock: Clock,
  waiting: WaitingRecords,
): AsyncGenerator<Frame | typeof PAUSE, void, undefined> {
  let cancel = () => {};
  let pause: Promise<typeof PAUSE> | undefined;
  let next: ReturnType<typeof frames.next> | undefined;
  try {
    for (;;) {
      if (waiting.isWaiting)
        pause ??= new Promise((resolve) => {
          cancel = clock.after(RECORD_PAUSE_MS, () => resolve(PAUSE));
        });
      next ??= frames.next();
      const step = await (pause === undefined ? next : Promise.race([next, pause]));
      if (step === PAUSE) {
        pause = undefined;
        yield PAUSE;
      } else if (step.done === true) return;
      else {
        next = undefined;
        yield step.value;
      }
    }
  } finally {
    cancel();
  }
}

/** Returns the records that precede a frame without records: those of its container, or of quiet containers. */
function restBefore(frame: Frame | typeof PAUSE, waiting: WaitingRecords | undefined): LogRecord[] {
  if (waiting === undefined) return [];
  if (frame === PAUSE) return shownOf((reported) => waiting.settleIdle(reported));
  if (!('target' in frame)) return [];
  return shownOf((reported) => waiting.settle(frame.target.id, reported));
}

/**
 * Marks records as late. Lines before a match arrive with it: after later ones of other containers, if those were shown
 * meanwhile.
 */
function lateMarker(last: LogRecord | undefined): (records: readonly LogRecord[]) => readonly LogRecord[] {
  let latest = last;
  return (records) =>
    records.toSorted(compareRecords).map((record) => {
      if (latest !== undefined && compareRecords(record, latest) < 0) return { ...record, late: true };
      latest = record;
      return record;
    });
}
