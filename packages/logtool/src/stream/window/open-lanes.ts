import { asTheyCome } from '@logtool/kube/src/values/in-parallel.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { EnginePlan } from '../engine.ts';
import type { ReadContext } from '../read-context.ts';
import type { Spill } from '../spill/spill.ts';
import { isDiskFailure } from '../spill/unnamed-file.ts';
import type { ContainerLane } from './container-lane.ts';
import type { OrderedBatches } from './merge.ts';
import { type BatchFilter, turnsAhead } from './window-result.ts';

/** Throws the error if it says something else than that there is no place to write to. */
function noTemporaryFile(error: unknown, containers: number): Frame {
  if (!isDiskFailure(error)) throw error;
  return { type: 'notice', code: 'no-temporary-file', data: { why: error.message, containers } };
}

export interface OpenLanes {
  readonly lanes: readonly ContainerLane[];
  readonly batches: readonly OrderedBatches[];
  /** They were read at once, and nothing of them was taken yet. */
  readonly isAtOnce: boolean;
}

interface SpillPlan {
  readonly spill: Spill;
  /** What passes it is kept; everything where it is undefined. */
  readonly sift: BatchFilter | undefined;
  /** Of each container. */
  readonly maxRecords: number;
}

/**
 * A merge needs a record of every container. If there are more than may be read at once, all are read first,
 * in turns, to a temporary file; of each only as much as the window can need. (Leaving some connections open
 * meanwhile saves little of the file, and costs the memory that each of them holds.) If nothing can be
 * written, or no more, all are read at once: more requests than desired, but the window is complete.
 */
export async function* openLanes(
  newLanes: (report: ReadContext['report']) => readonly ContainerLane[],
  { spill, sift, maxRecords }: SpillPlan,
  plan: EnginePlan,
  report: ReadContext['report'],
): AsyncGenerator<Frame, OpenLanes, undefined> {
  const limit = Math.max(1, plan.maxLogRequests);
  const atOnce = () => {
    const lanes = newLanes(report);
    return { lanes, batches: lanes.map((lane) => lane.batches()), isAtOnce: true };
  };
  // Reports on containers that are read once more are not repeated.
  const reported: Frame[] = [];
  const lanes = newLanes((frame) => reported.push(frame));
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
    batches[index] = await spill.take(sift === undefined ? all : sifted(all, sift), maxRecords);
  };
  let done = 0;
  try {
    for await (const _ of asTheyCome(
      limit,
      lanes.map((lane, index) => ({ lane, index })),
      read,
    )) {
      done++;
      yield { type: 'progress', code: 'containers-read', data: { done, total: lanes.length } };
    }
  } catch (error) {
    const notice = noTemporaryFile(error, lanes.length);
    await spill.close();
    yield notice;
    return atOnce();
  }
  for (const frame of reported) report(frame);
  return { lanes, batches, isAtOnce: false };
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
