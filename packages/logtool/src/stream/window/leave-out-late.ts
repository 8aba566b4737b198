import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { asTheyCome, LATE, orLate } from '@logtool/kube/src/values/in-parallel.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { OrderedBatches } from '../spill/spill.ts';

/** A container being read, and how to end that. */
export interface OpenedLane {
  readonly target: ContainerTarget;
  readonly batches: OrderedBatches;
  readonly stop: () => void;
}

export interface AnsweredLanes {
  readonly batches: readonly OrderedBatches[];
  /** Containers that did not answer in time, and are left out. */
  readonly late: readonly ContainerTarget[];
}

/**
 * Waits this long for the first records of each container, or for the news that it has none. Reports those that have
 * not answered by then, and leaves them out as soon as another one has answered; until then, it waits for all.
 */
export async function* leaveOutLate(
  lanes: readonly OpenedLane[],
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
): AsyncGenerator<Frame, AnsweredLanes, undefined> {
  const firsts = new Map<OpenedLane, IteratorResult<LogRecord[], unknown>>();
  const unread = new Set(lanes);
  const first = async (lane: OpenedLane) => {
    firsts.set(lane, await lane.batches.next());
    return lane;
  };
  const stop = () => {
    for (const lane of unread) lane.stop();
  };
  let isLate = false;
  const answers = asTheyCome(Math.max(1, lanes.length), lanes, first);
  for await (const lane of orLate(answers, { clock, afterMs: patienceMs, stop })) {
    if (lane === LATE) {
      isLate = true;
      yield { type: 'unanswered', targets: targetsOf(unread), forMs: patienceMs };
    } else {
      unread.delete(lane);
      if (isLate) yield { type: 'answered', targets: [lane.target] };
    }
    if (isLate && unread.size > 0 && firsts.size > 0) break;
  }
  const read = lanes.filter((lane) => !unread.has(lane));
  return {
    batches: read.map((lane) => continued(lane.batches, firsts.get(lane)!)),
    late: targetsOf(unread),
  };
}

function targetsOf(lanes: Iterable<OpenedLane>): readonly ContainerTarget[] {
  return [...lanes].map(({ target }) => target);
}

/** Returns batches whose first one was already taken. */
function continued(batches: OrderedBatches, first: IteratorResult<LogRecord[], unknown>): OrderedBatches {
  let taken: typeof first | undefined = first;
  return {
    async next() {
      const step = taken ?? (await batches.next());
      taken = undefined;
      return step;
    },

    async return(value) {
      return (await batches.return?.(value)) ?? { done: true, value };
    },
  };
}
