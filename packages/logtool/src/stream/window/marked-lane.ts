import type { LogRecord } from '../../domain/record.ts';
import type { Part } from '../match/context-lines.ts';
import type { OrderedBatches } from './merge.ts';
import type { SearchContext } from './window-result.ts';

/** Which records of the lanes are shown, and why; whoever took a record out of the merge takes it out here. */
export type Marks = Map<LogRecord, Part>;

export interface MarkedLaneOptions {
  /** The container's id. */
  readonly id: string;
  /** What is not shown is given too: cursors count it. If not, only as much of it as tells how far the lane has come. */
  readonly givesAll: boolean;
  /** What lies behind the window is around no match of it. */
  readonly isOutside: (record: LogRecord) => boolean;
}

/**
 * Holds a lane back until it is certain of a record whether it is shown, as a match or with one. So lines in front of a
 * match keep their place among those of other containers: a filter behind the merge would give them out with the match.
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
  { id, givesAll, isOutside }: MarkedLaneOptions,
): AsyncGenerator<LogRecord[], void, undefined> {
  try {
    let last: LogRecord | undefined;
    let outside: readonly LogRecord[] = [];
    for (;;) {
      const step = await lane.next();
      if (step.done === true) break;
      const first = outside.length > 0 ? 0 : step.value.findIndex(isOutside);
      const inside = first === -1 ? step.value : step.value.slice(0, first);
      if (first !== -1) outside = [...outside, ...step.value.slice(first)];
      const prepared = context.prepare?.(inside);
      if (prepared !== undefined) await prepared;
      const out: LogRecord[] = [];
      let unshown: LogRecord | undefined;
      context.place(inside, (record, part) => {
        unshown = part === undefined ? record : undefined;
        if (part !== undefined) {
          marks.set(record, part);
          last = record;
        }
        if (part !== undefined || givesAll) out.push(record);
      });
      if (unshown !== undefined && !givesAll) out.push(unshown);
      // It keeps the chunk that it came from.
      step.value.length = 0;
      if (out.length > 0) yield out;
    }
    onEnd(id, last);
    const rest = [...(givesAll ? context.lines.waiting(id) : []), ...outside];
    if (rest.length > 0) yield rest;
  } finally {
    await lane.return?.();
  }
}
