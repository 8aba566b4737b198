import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import type { MakeFilter } from '../window/window-result.ts';
import { Followers } from './followers.ts';
import { LiveMerge } from './live-merge.ts';
import { Reconnects } from './reconnects.ts';
import type { SourceFeed } from './source-feed.ts';

/**
 * The live part of a view: continues after the backlog of each container, takes in containers that join, and
 * ends when all are finished and none can come. `last`: the last record of the backlog.
 */
export async function* followContainers(
  context: ReadContext,
  feed: SourceFeed,
  ends: ReadonlyMap<string, LaneEnd>,
  targets: readonly ContainerTarget[],
  makeFilter: MakeFilter | undefined,
  plan: EnginePlan,
  last: LogRecord | undefined,
): AsyncGenerator<Frame, void, undefined> {
  // Lines before a match come with it: the more records come at once, the more of them are in their place.
  const merge = new LiveMerge(context.clock, last, { waits: plan.filter.beforeContext > 0 });
  const reconnects = new Reconnects(context.clock, (frame) => merge.frame(frame));
  const live: ReadContext = { ...context, report: (frame) => reconnects.take(frame) };
  const followers = new Followers(live, plan, merge, feed);
  followers.startAll(targets, ends);
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
  for await (const frame of frames) {
    if (frame.type !== 'records' || filter === undefined) {
      yield frame;
      continue;
    }
    const prepared = filter.prepare?.(frame.records);
    if (prepared !== undefined) await prepared;
    const passed = filter(frame.records);
    const records = filter.context === undefined ? passed : markLate(passed);
    if (records.length > 0) yield { type: 'records', records };
    else yield* context.takeReports?.() ?? [];
  }
}

/** Lines before a match come with it: after later ones of other containers, if those were shown meanwhile. */
function lateMarker(last: LogRecord | undefined): (records: readonly LogRecord[]) => readonly LogRecord[] {
  let latest = last;
  return (records) =>
    records.toSorted(compareRecords).map((record) => {
      if (latest !== undefined && compareRecords(record, latest) < 0) return { ...record, late: true };
      latest = record;
      return record;
    });
}
