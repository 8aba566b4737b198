import { compareRecords, type LogRecord } from '../domain/record.ts';

const BATCH_RECORDS = 256;

/** A sequence of batches, each in the total order and behind the one before. */
export type OrderedBatches = AsyncIterator<readonly LogRecord[], unknown, undefined>;

interface Lane {
  readonly batches: OrderedBatches;
  batch: readonly LogRecord[];
  index: number;
}

/**
 * Merges ordered lanes into one, in batches. Pulls from a lane only when its batch is used up, so that a slow consumer
 * slows the sockets. Closes all lanes when it is left early.
 */
export async function* mergeOrdered(
  sources: readonly OrderedBatches[],
): AsyncGenerator<readonly LogRecord[]> {
  const lanes = sources.map((batches): Lane => ({ batches, batch: [], index: 0 }));
  try {
    await Promise.all(lanes.map(pull));
    const heap = lanes.filter((lane) => lane.batch.length > 0);
    for (let index = (heap.length >> 1) - 1; index >= 0; index--) siftDown(heap, index);
    let out: LogRecord[] = [];
    while (heap.length > 0) {
      const lane = heap[0]!;
      if (heap.length === 1) {
        if (out.length > 0) yield out;
        out = [];
        yield lane.index === 0 ? lane.batch : lane.batch.slice(lane.index);
        lane.index = lane.batch.length;
      } else {
        takeRun(heap, out);
      }
      if (lane.index === lane.batch.length) {
        if (out.length > 0) {
          yield out;
          out = [];
        }
        await pull(lane);
        if (lane.batch.length === 0) {
          const last = heap.pop()!;
          if (heap.length === 0) break;
          if (last !== lane) heap[0] = last;
        }
      }
      siftDown(heap, 0);
      if (out.length >= BATCH_RECORDS) {
        yield out;
        out = [];
      }
    }
    if (out.length > 0) yield out;
  } finally {
    await Promise.all(lanes.map((lane) => lane.batches.return?.()));
  }
}

/** Moves records of the first lane while none of another lane comes before them. */
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
  lane.index = 0;
  do {
    const result = await lane.batches.next();
    lane.batch = result.done === true ? [] : result.value;
    if (result.done === true) return;
  } while (lane.batch.length === 0);
}

function siftDown(heap: Lane[], start: number): void {
  const lane = heap[start];
  if (lane === undefined) return;
  let index = start;
  for (;;) {
    let child = index * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compareRecords(headOf(heap[child + 1]!), headOf(heap[child]!)) < 0)
      child++;
    if (compareRecords(headOf(heap[child]!), headOf(lane)) >= 0) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = lane;
}
