import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { asTheyCome, LATE, orLate } from '@logtool/kube/src/values/in-parallel.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { BatchFilter } from '../match/batch-filter.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { OrderedBatches, Spill, SpilledBatches } from '../spill/spill.ts';
import { isDiskFailure } from '../spill/unnamed-file.ts';
import type { ContainerLane } from './container-lane.ts';
import { turnsAhead } from './window-result.ts';

/** Returns a notice; throws the error unless it reports that no writable location exists. */
function noTemporaryFile(error: unknown, containers: number): Frame {
  if (!isDiskFailure(error)) throw error;
  return { type: 'notice', code: 'no-temporary-file', data: { why: error.message, containers } };
}

export interface OpenLanes {
  readonly lanes: readonly ContainerLane[];
  readonly batches: readonly OrderedBatches[];
  /** All were opened at once, and no record was taken yet. */
  readonly isAtOnce: boolean;
  /** Containers that were not read in time, and are left out. */
  readonly late: readonly ContainerTarget[];
}

/** Takes a frame about a container. */
type Report = (frame: Frame, target: ContainerTarget) => void;

interface SpillPlan {
  readonly spill: Spill;
  /** A filter for what to keep; undefined: everything. */
  readonly sift: BatchFilter | undefined;
  /** Maximum per container. */
  readonly maxRecords: number;
}

/** How long to wait for containers that are read in turns. */
export interface TurnPatience {
  readonly clock: Clock;
  /** Undefined: no limit. */
  readonly patienceMs: number | undefined;
  /** Ends all reads. */
  readonly stop: () => void;
}

/**
 * Opens the lanes of a window. A merge needs a record of every container. If there are more than may be read at once,
 * it first reads all in turns to a temporary file, each only as far as the window can need. (Leaving some connections
 * open meanwhile saves little of the file, and costs the memory that each of them holds.) If writing fails, it reads
 * all at once: more requests than desired, but the window is complete.
 */
export async function* openLanes(
  newLanes: (report: Report) => readonly ContainerLane[],
  spillPlan: SpillPlan,
  {
    plan,
    report,
    patience,
  }: { readonly plan: EnginePlan; readonly report: Report; readonly patience: TurnPatience },
): AsyncGenerator<Frame, OpenLanes, undefined> {
  const limit = Math.max(1, plan.maxLogRequests);
  const { spill } = spillPlan;
  const atOnce = (): OpenLanes => {
    const lanes = newLanes(report);
    return { lanes, batches: lanes.map((lane) => lane.batches()), isAtOnce: true, late: [] };
  };
  // Does not repeat reports on containers that are read again.
  const reported: Parameters<Report>[] = [];
  const lanes = newLanes((...about) => reported.push(about));
  if (lanes.length <= limit) return atOnce();
  try {
    await spill.open();
  } catch (error) {
    yield noTemporaryFile(error, lanes.length);
    return atOnce();
  }
  yield turnsAhead(limit, lanes.length);
  try {
    const opened = yield* readInTurns(lanes, limit, spillPlan, patience);
    const late = new Set(opened.late);
    for (const [frame, target] of reported) if (!late.has(target)) report(frame, target);
    return opened;
  } catch (error) {
    const notice = noTemporaryFile(error, lanes.length);
    await spill.close();
    yield notice;
    return atOnce();
  }
}

/** A container whose turn comes, or has come. */
interface Turn {
  readonly lane: ContainerLane;
  readonly target: ContainerTarget;
  spilled: SpilledBatches | undefined;
}

/**
 * Reads all to the file. After the patience time, reports those that have not been read, and leaves them out as soon as
 * another one has a record.
 */
async function* readInTurns(
  lanes: readonly ContainerLane[],
  limit: number,
  { spill, sift, maxRecords }: SpillPlan,
  { clock, patienceMs, stop }: TurnPatience,
): AsyncGenerator<Frame, OpenLanes, undefined> {
  const turns = lanes.map((lane): Turn => ({ lane, target: lane.end.target, spilled: undefined }));
  const read = async (turn: Turn) => {
    const all = turn.lane.batches();
    const kept = sift === undefined ? all : sifted(all, sift);
    // If containers are left out, the window ends between two times.
    turn.spilled = await spill.take(kept, maxRecords, patienceMs !== undefined);
    return turn;
  };
  const unread = new Set(turns);
  let isLate = false;
  let hasRecords = false;
  const come = asTheyCome(limit, turns, read);
  for await (const turn of orLate(come, { clock, afterMs: patienceMs, stop })) {
    if (turn === LATE) {
      isLate = true;
      yield { type: 'unanswered', targets: targetsOf(unread), forMs: patienceMs ?? 0 };
    } else {
      unread.delete(turn);
      hasRecords ||= turn.spilled?.isEmpty === false;
      const done = turns.length - unread.size;
      yield { type: 'progress', code: 'containers-read', data: { done, total: turns.length } };
      if (isLate) yield { type: 'answered', targets: [turn.target] };
    }
    if (isLate && hasRecords && unread.size > 0) break;
  }
  // In the order of the containers, so that the result does not depend on who answers first.
  const kept = turns.filter((turn) => !unread.has(turn));
  return {
    lanes: kept.map(({ lane }) => lane),
    batches: kept.flatMap(({ spilled }) => spilled ?? []),
    isAtOnce: false,
    late: targetsOf(unread),
  };
}

function targetsOf(turns: Iterable<Turn>): readonly ContainerTarget[] {
  return [...turns].map(({ target }) => target);
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
