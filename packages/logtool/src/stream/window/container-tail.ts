import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import {
  type ContainerTarget,
  currentRunId,
  endOfRunsBefore,
  oldestNamedRun,
  startOfRun,
} from '../../domain/container.ts';
import { beginsLate, type Lost, lostBefore, lostRuns } from '../../domain/coverage/lost.ts';
import type { Frame } from '../../domain/frame.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { type Bound, isBeforeFrom } from '../../domain/window.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { RUN_REMOVED } from '../run/failure-policy.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import { addressRun } from '../run/open-log.ts';
import { atNextRun, maxOf, START } from '../run/position.ts';
import { reportGap } from '../run/report-container.ts';
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
  readonly afterTo: ReadonlyMap<string, number> | undefined;
}

/** The last records of one container across its runs, up to a point. */
export interface ContainerTail {
  /** In the total order, inside the window, without gaps except those that need not be kept (KeepPlan). */
  readonly records: readonly LogRecord[];
  /** Times of the records that were only counted (KeepPlan.tally), of each run. */
  readonly times: readonly TimeList[];
  /** Nothing precedes them inside the window. */
  readonly whole: boolean;
  readonly further: boolean;
  readonly end: LaneEnd;
  readonly bytes: number;
  /** What the node no longer has of the runs that were read to their first record, and before them. */
  readonly lost: readonly Lost[];
}

type OrderedTail = ContainerTail & { readonly isOrdered: boolean };

/** Reads at least the last `want` records of a container inside the window, if it has that many. */
export async function readContainerTail(
  context: ReadContext,
  resolved: ContainerTarget,
  want: number,
  options: ContainerTailOptions,
): Promise<ContainerTail> {
  const reported: Frame[] = [];
  const reporting = { ...context, report: (frame: Frame) => reported.push(frame) };
  const tail = await readRuns(reporting, resolved, want, options);
  // A clock was set back: finding the lines around a match requires all lines.
  if (!tail.isOrdered) return readRuns(context, resolved, want, { ...options, keep: KEEP_ALL });
  for (const frame of reported) context.report(frame);
  return tail;
}

async function readRuns(
  context: ReadContext,
  resolved: ContainerTarget,
  want: number,
  options: ContainerTailOptions,
): Promise<OrderedTail> {
  const { target, tail, isRunLost } = await readPresent(context, resolved, want, options);
  const present = tail ?? NOTHING_READ;
  const previousId = PREVIOUS_RUN[options.previous](target);
  const needsOlder = present.whole && present.count < want && !startsBefore(present.records, options.from);
  let read = present;
  let hasPrevious = previousId !== undefined;
  const lost: Lost[] = [];
  if (previousId !== undefined && needsOlder) {
    const older = await readOlder(context, target, previousId, want - present.count, options);
    lost.push(...lostOf(target, previousId, older, false));
    hasPrevious = older.outcome?.kind !== 'absent';
    read = joined(older, present, options);
    // The previous run was not needed so far.
  } else if (previousId !== undefined) read = { ...present, whole: false };
  lost.push(...lostOf(target, currentRunId(target), tail, hasPrevious));
  if (options.previous === 'auto' && read.whole) {
    if (!isRunLost) lost.unshift(...goneOf(target, hasPrevious, read.firstAt));
    else if (read.count < want) reportRemoved(context, target);
  }
  const records = read.records.filter((record) => !isBeforeFrom(record.at, options.from));
  const { bytes, further, position, outcome, isOrdered, times } = read;
  return {
    records,
    times,
    further,
    bytes,
    lost,
    isOrdered,
    whole: read.whole || records.length < read.records.length,
    end: { target, runId: currentRunId(target), position, outcome },
  };
}

/** Returns what the node no longer has before a first record: the time of earlier runs. */
function goneOf(
  target: ContainerTarget,
  hasPrevious: boolean,
  first: Timestamp | undefined,
): readonly Lost[] {
  const gone = lostRuns(target, { hasPrevious, first });
  return gone === undefined ? [] : [gone];
}

const NOTHING_READ: RunTail = {
  records: [],
  times: [],
  count: 0,
  whole: true,
  firstAt: undefined,
  bytes: 0,
  further: false,
  position: START,
  outcome: undefined,
  isOrdered: true,
};

/** Reads the current run, if it is wanted, and again if another one replaced it. */
async function readPresent(
  context: ReadContext,
  resolved: ContainerTarget,
  want: number,
  options: ContainerTailOptions,
): Promise<{
  readonly target: ContainerTarget;
  readonly tail: RunTail | undefined;
  readonly isRunLost: boolean;
}> {
  if (options.previous === 'only') return { target: resolved, tail: undefined, isRunLost: false };
  let target = resolved;
  const meantRuns = new Set<string>();
  for (;;) {
    const meant = currentRunId(target);
    const tail = await readRunTail(context, addressRun(target, meant, false), want, {
      ...options,
      neighbors: {
        preceding: PREVIOUS_RUN[options.previous](target) !== undefined,
        later: options.thenFollow,
      },
      giveUnterminated: !options.thenFollow || target.state.kind === 'terminated',
      confirmRun: mayHaveMoved(target),
    });
    if (tail.outcome?.kind !== 'moved') return { target, tail, isRunLost: isAnyLost(meantRuns, target) };
    target = tail.outcome.target;
    if (meant !== '') meantRuns.add(meant);
  }
}

/**
 * Whether the node had a run when it was to be read, but no longer has it: it keeps the current and the previous one.
 */
function isAnyLost(runs: ReadonlySet<string>, target: ContainerTarget): boolean {
  const kept = [target.lastContainerId, currentRunId(target)];
  return [...runs].some((run) => !kept.includes(run));
}

/** Joins the previous and the current run. */
function joined(older: RunTail, present: RunTail, { previous, keep }: ContainerTailOptions): RunTail {
  const isInOrder = !(hasContext(keep) && overlaps(older.records, present.records));
  return {
    records: [...older.records, ...present.records].sort(compareRecords),
    times: [...present.times, ...older.times],
    count: present.count + older.count,
    whole: older.whole || older.outcome?.kind === 'absent' || older.outcome?.kind === 'moved',
    firstAt: older.firstAt ?? present.firstAt,
    bytes: present.bytes + older.bytes,
    further: present.further || older.further,
    position: maxOf(present.position) === undefined ? atNextRun(older.position) : present.position,
    outcome: previous === 'only' || older.outcome?.kind === 'failed' ? older.outcome : present.outcome,
    isOrdered: present.isOrdered && older.isOrdered && isInOrder,
  };
}

function overlaps(older: readonly LogRecord[], newer: readonly LogRecord[]): boolean {
  const [last, first] = [older.at(-1), newer[0]];
  return last !== undefined && first !== undefined && compareRecords(last, first) > 0;
}

/** Reads the previous run, if it still exists; a reader of only that run gets the one that replaced it. */
async function readOlder(
  context: ReadContext,
  target: ContainerTarget,
  runId: string,
  want: number,
  options: ContainerTailOptions,
): Promise<RunTail> {
  const older = await readRunTail(context, addressRun(target, runId, true), want, {
    ...options,
    neighbors: { preceding: false, later: options.previous !== 'only' },
    giveUnterminated: true,
    confirmRun: mayHaveMoved(target),
  });
  if (older.outcome?.kind !== 'moved') return older;
  const { target: now } = older.outcome;
  if (options.previous !== 'only') {
    reportRemoved(context, now);
    return older;
  }
  const { lastContainerId } = now;
  return lastContainerId === undefined ? older : readOlder(context, now, lastContainerId, want, options);
}

/** Reports a run as removed. `target`: the container as it is now. */
function reportRemoved(context: ReadContext, target: ContainerTarget): void {
  reportGap(context, target, RUN_REMOVED, undefined, endOfRunsBefore(target, oldestNamedRun(target)));
}

function startsBefore(records: readonly LogRecord[], from: Bound | undefined): boolean {
  const first = records[0];
  return first !== undefined && isBeforeFrom(first.at, from);
}

function lostOf(
  target: ContainerTarget,
  runId: string,
  tail: RunTail | undefined,
  hasEarlier: boolean,
): Lost[] {
  const start = startOfRun(target, runId);
  if (tail?.whole !== true || tail.firstAt === undefined || !beginsLate(start, tail.firstAt)) return [];
  const lost = lostBefore({ first: tail.firstAt, start, hasEarlier }, start);
  return lost === undefined ? [] : [lost];
}
