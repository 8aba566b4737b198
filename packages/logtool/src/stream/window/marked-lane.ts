import type { LogRecord } from '../../domain/record.ts';
import type { SearchContext, WaitingRecords } from '../match/batch-filter.ts';
import type { Role } from '../match/context-lines.ts';
import type { OrderedBatches } from '../spill/spill.ts';

/** Which records of the lanes are shown, and why; the consumer of the merge also removes records here. */
export type Marks = Map<LogRecord, Role>;

export interface MarkedLaneOptions {
  /** The container's id. */
  readonly id: string;
  /** Records after the window are not context of its matches; undefined: it has no end. */
  readonly isOutside: ((record: LogRecord) => boolean) | undefined;
}

/**
 * Holds a lane back until it is certain whether a record is shown, as a match or with one. So lines before a match keep
 * their position among those of other containers: a filter after the merge would output them with the match. Passes
 * only enough of the hidden records to show the lane's progress.
 */
export function markedLane(
  lane: OrderedBatches,
  context: SearchContext,
  marks: Marks,
  onEnd: (id: string, last: LogRecord | undefined) => void,
  options: MarkedLaneOptions,
): OrderedBatches {
  const batches = markedBatches(lane, context, marks, onEnd, options);
  return lane.isAtHand === true ? Object.assign(batches, { isAtHand: true }) : batches;
}

async function* markedBatches(
  lane: OrderedBatches,
  context: SearchContext,
  marks: Marks,
  onEnd: (id: string, last: LogRecord | undefined) => void,
  { id, isOutside }: MarkedLaneOptions,
): AsyncGenerator<LogRecord[], void, undefined> {
  let last: LogRecord | undefined;
  const onShown = (record: LogRecord, role: Role) => {
    marks.set(record, role);
    last = record;
  };
  try {
    let outside: readonly LogRecord[] = [];
    for (let step = await lane.next(); step.done !== true; step = await lane.next()) {
      const end = outside.length > 0 ? 0 : endOfInside(step.value, isOutside);
      const inside = end === step.value.length ? step.value : step.value.slice(0, end);
      if (inside !== step.value) outside = [...outside, ...step.value.slice(end)];
      const out = await mark(inside, context, onShown);
      // An array keeps its chunk alive.
      step.value.length = 0;
      if (out.length > 0) yield out;
    }
    const rest = context.waiting === undefined ? [] : settled(context.waiting, id, onShown);
    if (rest.length > 0) yield rest;
    onEnd(id, last);
    if (outside.length > 0) yield [...outside];
  } finally {
    await lane.return?.();
  }
}

/** Returns the index of the first record after the window, or the number of records. */
function endOfInside(
  records: readonly LogRecord[],
  isOutside: ((record: LogRecord) => boolean) | undefined,
): number {
  const first = isOutside === undefined ? -1 : records.findIndex(isOutside);
  return first === -1 ? records.length : first;
}

/** Returns the shown lines of the container's last record. */
function settled(
  waiting: WaitingRecords,
  id: string,
  onShown: (record: LogRecord, role: Role) => void,
): LogRecord[] {
  const out: LogRecord[] = [];
  waiting.settle(id, (record, role) => {
    if (role === undefined) return;
    onShown(record, role);
    out.push(record);
  });
  return out;
}

/** Marks records of the lane; returns those that are certainly shown or hidden now. */
async function mark(
  records: readonly LogRecord[],
  context: SearchContext,
  onShown: (record: LogRecord, role: Role) => void,
): Promise<LogRecord[]> {
  const prepared = context.prepare?.(records);
  if (prepared !== undefined) await prepared;
  const out: LogRecord[] = [];
  let unshown: LogRecord | undefined;
  context.mark(records, (record, role) => {
    unshown = role === undefined ? record : undefined;
    if (role === undefined) return;
    onShown(record, role);
    out.push(record);
  });
  // Shows the lane's progress.
  if (unshown !== undefined) out.push(unshown);
  return out;
}
