import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { RUN_REMOVED } from '../run/failure-policy.ts';
import { currentRunId, PREVIOUS_RUN } from '../run/pod-look.ts';
import { Position } from '../run/position.ts';
import { addressRun } from '../run/run-address.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { reportOutcome } from '../run/source-report.ts';
import { isBeforeFrom } from './bounds.ts';
import { type LaneEnd, mayHaveMoved } from './container-lane.ts';
import { type RunTail, readRunTail } from './run-tail.ts';
import { hasContext, KEEP_ALL, type KeepPlan } from './tail-keeper.ts';
import type { TimeList } from './time-list.ts';

export interface ContainerTailOptions {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly previous: 'auto' | 'no' | 'only';
  readonly thenFollow: boolean;
  readonly keep: KeepPlan;
  /** See EnginePlan. */
  readonly behindTo: ReadonlyMap<string, number> | undefined;
}

/** The last records of one container over its runs, up to a point. */
export interface ContainerTail {
  /** In the total order, inside the window, none between them missing but those that need not be kept (KeepPlan). */
  readonly records: readonly LogRecord[];
  /** Times of those that were only counted (KeepPlan.tally), of each run. */
  readonly times: readonly TimeList[];
  /** There is nothing in front of them inside the window. */
  readonly whole: boolean;
  readonly further: boolean;
  readonly end: LaneEnd;
  readonly bytes: number;
  /** The present run's log begins long after the run did: older lines were very likely rotated away. */
  readonly rotated: boolean;
  /** It is followed afterwards. */
  readonly thenFollow: boolean;
}

type OrderedTail = ContainerTail & { readonly isOrdered: boolean };

/** A log that begins this long after its container did has very likely been rotated. */
const ROTATED_AFTER_SECONDS = 600;

/** Reads at least the last `want` records of a container inside the window, where there are as many. */
export async function readContainerTail(
  context: ReadContext,
  resolved: ContainerTarget,
  want: number,
  options: ContainerTailOptions,
): Promise<ContainerTail> {
  const told: Frame[] = [];
  const telling = { ...context, report: (frame: Frame) => told.push(frame) };
  const tail = await readRuns(telling, resolved, want, options);
  // A clock was set back: what stands around a match is known only when all is.
  if (!tail.isOrdered) return readRuns(context, resolved, want, { ...options, keep: KEEP_ALL });
  for (const frame of told) context.report(frame);
  return tail;
}

async function readRuns(
  context: ReadContext,
  resolved: ContainerTarget,
  want: number,
  options: ContainerTailOptions,
): Promise<OrderedTail> {
  let target = resolved;
  let tail: RunTail | undefined;
  const runId = () => currentRunId(target);
  let isRunLost = false;
  while (options.previous !== 'only') {
    tail = await readRunTail(context, addressRun(target, runId(), false), want, {
      to: options.to,
      behindTo: options.behindTo,
      keep: options.keep,
      neighbours: {
        inFront: PREVIOUS_RUN[options.previous](target) !== undefined,
        behind: options.thenFollow || options.to?.kind === 'cursor',
      },
      giveUnterminated: !options.thenFollow || target.state.kind === 'terminated',
      confirmRun: mayHaveMoved(target),
      thenFollow: options.thenFollow,
    });
    if (tail.outcome?.kind !== 'moved') break;
    const meant = runId();
    target = tail.outcome.target;
    isRunLost ||= meant !== '' && target.lastContainerId !== meant;
  }
  let records = tail?.records ?? [];
  const times = tail?.times === undefined ? [] : [tail.times];
  let count = tail?.count ?? 0;
  let whole = tail?.whole ?? true;
  let bytes = tail?.bytes ?? 0;
  let further = tail?.further ?? false;
  let position = tail?.position ?? new Position();
  let outcome: RunOutcome | undefined = tail?.outcome;
  let isOrdered = tail?.isOrdered ?? true;
  const rotated = tail !== undefined && whole && isRotated(target, tail);
  const previousId = PREVIOUS_RUN[options.previous](target);
  if (previousId !== undefined && whole && count < want && !startsBefore(records, options.from)) {
    const older = await readOlder(context, target, previousId, want - count, options);
    isOrdered &&= older.isOrdered && !(hasContext(options.keep) && overlaps(older.records, records));
    records = [...older.records, ...records].sort(compareRecords);
    whole = older.whole || older.outcome?.kind === 'absent' || older.outcome?.kind === 'moved';
    if (older.times !== undefined) times.push(older.times);
    count += older.count;
    bytes += older.bytes;
    further ||= older.further;
    if (position.max === undefined) {
      position = older.position;
      position.beginRun();
    }
    if (options.previous === 'only') outcome = older.outcome;
    else if (older.outcome?.kind === 'failed') outcome = older.outcome;
  } else if (previousId !== undefined) {
    // The run before was not needed so far.
    whole = false;
  }
  if (isRunLost && options.previous === 'auto' && whole && count < want)
    context.report({ type: 'gap', target, from: undefined, to: undefined, why: RUN_REMOVED });
  const inside = records.filter((record) => !isBeforeFrom(record.at, options.from));
  return {
    records: inside,
    times,
    whole: whole || inside.length < records.length,
    further,
    end: { target, runId: runId(), position, outcome },
    bytes,
    rotated,
    thenFollow: options.thenFollow,
    isOrdered,
  };
}

function overlaps(older: readonly LogRecord[], newer: readonly LogRecord[]): boolean {
  const [last, first] = [older.at(-1), newer[0]];
  return last !== undefined && first !== undefined && compareRecords(last, first) > 0;
}

/** The run before, if it still is; a reader of that run alone gets the one that took its place. */
async function readOlder(
  context: ReadContext,
  target: ContainerTarget,
  runId: string,
  want: number,
  options: ContainerTailOptions,
): Promise<RunTail> {
  const older = await readRunTail(context, addressRun(target, runId, true), want, {
    to: options.to,
    behindTo: options.behindTo,
    keep: options.keep,
    neighbours: { inFront: false, behind: options.previous !== 'only' || options.to?.kind === 'cursor' },
    giveUnterminated: true,
    confirmRun: mayHaveMoved(target),
    thenFollow: options.thenFollow,
  });
  if (older.outcome?.kind !== 'moved') return older;
  const { target: now } = older.outcome;
  if (options.previous !== 'only') {
    context.report({ type: 'gap', target: now, from: undefined, to: undefined, why: RUN_REMOVED });
    return older;
  }
  const { lastContainerId } = now;
  return lastContainerId === undefined ? older : readOlder(context, now, lastContainerId, want, options);
}

/** Tells of a container that could not be read as it should; where it is followed, that tells of what does not pass. */
export function reportTail(context: ReadContext, tail: ContainerTail): void {
  if (tail.thenFollow && tail.end.outcome?.kind === 'failed') return;
  reportOutcome(context, tail.end.target, tail.end.outcome);
}

function startsBefore(records: readonly LogRecord[], from: Bound | undefined): boolean {
  const first = records[0];
  return first !== undefined && isBeforeFrom(first.at, from);
}

function isRotated(target: ContainerTarget, tail: RunTail): boolean {
  const { state } = target;
  const startedAt = state.kind === 'running' ? state.startedAt : undefined;
  const first = tail.records[0];
  if (startedAt === undefined || first === undefined) return false;
  return first.at.seconds - startedAt.seconds > ROTATED_AFTER_SECONDS;
}
