import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import { isBeforeFrom } from '../window/bounds.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import type { MakeFilter } from '../window/window-result.ts';
import { Departed } from './departed.ts';
import { ContainerFollower } from './follower.ts';
import { LiveMerge } from './live-merge.ts';
import { LogSlots } from './log-slots.ts';
import { Reconnects } from './reconnects.ts';
import { ResumedPosition } from './resumed-position.ts';
import { Revival } from './revival.ts';
import { failedNotice, type SourceFeed } from './source-feed.ts';

/**
 * The live part of a view: goes on behind the backlog of each container, takes in containers that join, and ends when
 * all are finished and none can come.
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
  const limit = Math.max(1, plan.maxLogRequests);
  const slots = new LogSlots(context.clock, limit);
  const revival = new Revival();
  let saidTurns = false;
  const followers = new Map<string, ContainerFollower>();
  const departed = new Departed();
  /** Containers that came back before they had left to the end. */
  const returning = new Map<string, ContainerTarget>();
  let running = 0;
  let feedEnded = false;

  const settle = () => {
    if (running === 0 && (feedEnded || !feed.open)) merge.close();
  };
  const start = (target: ContainerTarget, end: LaneEnd | undefined) => {
    const { from: begin } = plan.window;
    // What is taken up at a place in front of where others begin is given from there on.
    const from = end?.position instanceof ResumedPosition && end.position.isBefore(begin) ? undefined : begin;
    const { selection } = plan.window;
    const input = merge.join(target);
    const isUnread = end?.outcome?.kind === 'failed' && !end.position.hasLines;
    const follower = new ContainerFollower(live, target, end, {
      lastLines: isUnread && selection.kind === 'tail' ? selection.count : undefined,
      previous: plan.window.previous,
      from,
      slots,
      revival,
      ...input,
      push: (records) =>
        input.push(from === undefined ? records : records.filter(({ at }) => !isBeforeFrom(at, from))),
    });
    followers.set(target.id, follower);
    running++;
    follower.run().then(
      () => {
        running--;
        input.leave();
        followers.delete(follower.id);
        departed.remember(follower.id, follower.end);
        const back = returning.get(follower.id);
        returning.delete(follower.id);
        if (back !== undefined) join(back);
        settle();
      },
      (error: unknown) => merge.close({ error }),
    );
  };
  const sayTurns = () => {
    const total = followers.size;
    if (saidTurns || total <= limit) return;
    saidTurns = true;
    const text = `following ${limit} of ${total} containers at a time, in turns; --max-log-requests=${total} follows all at once`;
    merge.frame({ type: 'notice', code: 'in-turns', text });
  };
  const join = (target: ContainerTarget) => {
    merge.frame({ type: 'source', target, state: 'joined', detail: '' });
    start(target, departed.take(target.id));
    sayTurns();
  };
  for (const target of targets) start(ends.get(target.id)?.target ?? target, ends.get(target.id));
  sayTurns();

  const pump = async () => {
    for (;;) {
      const event = await feed.next();
      if (event === undefined) break;
      switch (event.type) {
        case 'added':
        case 'changed': {
          const { target } = event;
          const follower = followers.get(target.id);
          if (follower?.isLeaving() === true && (event.type === 'added' || returning.has(target.id)))
            returning.set(target.id, target);
          else if (follower !== undefined) follower.update(target);
          else if (event.type === 'added') join(target);
          break;
        }
        case 'gone':
          returning.delete(event.target.id);
          if (event.target.deleting) departed.forget(event.target.id);
          followers.get(event.target.id)?.leave(event.target);
          break;
        case 'notice':
          merge.frame(event);
          break;
        case 'failed':
          merge.frame(failedNotice(event));
          break;
        default:
          settle();
      }
    }
    feedEnded = true;
    settle();
  };
  pump().catch((error: unknown) => merge.close({ error }));
  const onAbort = () => merge.close({ error: context.signal.reason });
  if (context.signal.aborted) onAbort();
  else context.signal.addEventListener('abort', onAbort, { once: true });
  settle();
  const filter = makeFilter?.();
  const markLate = lateMarker(last);
  try {
    for await (const frame of merge.frames()) {
      if (frame.type !== 'records' || filter === undefined) yield frame;
      else {
        const prepared = filter.prepare?.(frame.records);
        if (prepared !== undefined) await prepared;
        const passed = filter(frame.records);
        const records = filter.context === undefined ? passed : markLate(passed);
        if (records.length > 0) yield { type: 'records', records };
        else yield* context.takeReports?.() ?? [];
      }
    }
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    reconnects.close();
    merge.close();
  }
}

/** Lines in front of a match come with it: behind later ones of other containers, if those were shown meanwhile. */
function lateMarker(last: LogRecord | undefined): (records: readonly LogRecord[]) => readonly LogRecord[] {
  let latest = last;
  return (records) =>
    records.toSorted(compareRecords).map((record) => {
      if (latest !== undefined && compareRecords(record, latest) < 0) return { ...record, late: true };
      latest = record;
      return record;
    });
}
