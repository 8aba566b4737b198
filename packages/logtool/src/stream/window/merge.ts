import { compareRecords, type LogRecord } from '../../domain/record.ts';
import type { OrderedBatches } from '../spill/spill.ts';

const BATCH_RECORDS = 256;

type Step = IteratorResult<LogRecord[], unknown>;

interface Lane {
  readonly batches: OrderedBatches;
  batch: LogRecord[];
  index: number;
  /** The next batch, already requested. */
  ahead: Promise<Step> | undefined;
}

/**
 * Merges ordered lanes into one, in batches. Each lane that waits for a server reads one batch ahead, so that they wait
 * at the same time, and no more, so that a slow consumer slows the sockets. If the consumer leaves early, it calls
 * `stop`, which must end what the lanes wait for, and closes them all.
 */
export async function* mergeOrdered(
  sources: readonly OrderedBatches[],
  stop: () => void = () => undefined,
): AsyncGenerator<LogRecord[]> {
  const lanes = sources.map((batches): Lane => ({ batches, batch: [], index: 0, ahead: undefined }));
  let out: LogRecord[] = [];
  let finished = false;
  try {
    await Promise.all(lanes.map(pull));
    const heap = heapOf(lanes);
    for (let lane = heap[0]; lane !== undefined; lane = heap[0]) {
      const isOnly = heap.length === 1;
      if (!isOnly) takeRun(heap, out);
      const isUsedUp = isOnly || lane.index === lane.batch.length;
      if (out.length > 0 && (isUsedUp || out.length >= BATCH_RECORDS)) {
        yield out;
        out = [];
      }
      if (isOnly) yield takeRest(lane);
      if (isUsedUp) await refill(heap);
      siftDown(heap, 0);
    }
    finished = true;
  } finally {
    if (!finished) stop();
    await Promise.all(lanes.map((lane) => lane.batches.return?.()));
  }
}

function heapOf(lanes: readonly Lane[]): Lane[] {
  const heap = lanes.filter((lane) => lane.batch.length > 0);
  for (let index = (heap.length >> 1) - 1; index >= 0; index--) siftDown(heap, index);
  return heap;
}

/** Takes the rest of a lane's batch. */
function takeRest(lane: Lane): LogRecord[] {
  const rest = lane.index === 0 ? lane.batch : lane.batch.slice(lane.index);
  lane.batch = [];
  lane.index = 0;
  return rest;
}

/** Gives the first lane its next batch, or removes the lane if it has none. */
async function refill(heap: Lane[]): Promise<void> {
  const lane = heap[0]!;
  await pull(lane);
  if (lane.batch.length > 0) return;
  const last = heap.pop()!;
  if (heap.length > 0 && last !== lane) heap[0] = last;
}

/** Moves records of the first lane while no record of another lane precedes them. */
function takeRun(heap: readonly Lane[], out: LogRecord[]): void {
  const lane = heap[0]!;
  const left = heap[1]!;
  const right = heap[2];
  const next =
    right !== undefined && compareRecords(headOf(right), headOf(left)) < 0 ? headOf(right) : headOf(left);
  do {
    out.push(headOf(lane));
    lane.index++;
  } while (
    lane.index < lane.batch.length &&
    out.length < BATCH_RECORDS &&
    compareRecords(headOf(lane), next) <= 0
  );
}

function headOf(lane: Lane): LogRecord {
  return lane.batch[lane.index]!;
}

async function pull(lane: Lane): Promise<void> {
  lane.batch.length = 0;
  lane.index = 0;
  do {
    const result = await (lane.ahead ?? lane.batches.next());
    lane.ahead = undefined;
    lane.batch = result.done === true ? [] : result.value;
    if (result.done === true) return;
  } while (lane.batch.length === 0);
  if (lane.batches.isAtHand === true) return;
  lane.ahead = lane.batches.next();
  // A failure is thrown in its turn; after an early end, nobody handles it.
  lane.ahead.catch(() => undefined);
}

/**
 * Finds the position of a lane: down along the first ones to the last row, then up again. A lane that gave its first
 * record mostly belongs far down, so this takes half as many comparisons as stopping on the way.
 */
function siftDown(heap: Lane[], start: number): void {
  const lane = heap[start];
  if (lane === undefined) return;
  let index = start;
  for (;;) {
    let child = index * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    heap[index] = heap[child]!;
    index = child;
  }
  while (index > start) {
    const parent = (index - 1) >> 1;
    if (!isBefore(lane, heap[parent]!)) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = lane;
}

function isBefore(a: Lane, b: Lane): boolean {
  return compareRecords(headOf(a), headOf(b)) < 0;
}
