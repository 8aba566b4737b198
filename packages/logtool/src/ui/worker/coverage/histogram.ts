import { LEVELS } from '../../../domain/filter.ts';
import type { Histogram } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';

const MAX_BUCKETS = 1_000;
/** Steps that are easy to read on a time axis, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];
const ERROR = LEVELS.indexOf('error');
const WARN = LEVELS.indexOf('warn');

/** The first and last second of a chart, since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Held lines, and those among them that rows do not show because they arrived while paused. */
type Charted = Pick<HeldLog, 'store' | 'view' | 'groups'> & Partial<Pick<HeldLog, 'withheld'>>;

/**
 * Counts the records of the view by time and level, in at most about `wanted` buckets. `span`: what the chart covers,
 * which contains all lines; undefined: the time from the first line to the last.
 */
export function makeHistogram(
  { store, view, groups, withheld = [] }: Charted,
  wanted: number,
  span = spanOf(store),
): Histogram {
  const most = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(wanted)));
  if (span === undefined) return { fromSeconds: 0, bucketSeconds: 1, errors: [], warnings: [], others: [] };
  const { from, to } = span;
  const bucketSeconds = stepFor((to - from + 1) / most);
  const fromSeconds = Math.floor(from / bucketSeconds) * bucketSeconds;
  const length = Math.floor((to - fromSeconds) / bucketSeconds) + 1;
  const [errors, warnings, others] = [fill(length), fill(length), fill(length)];
  const bucketOf = (id: number) => Math.floor((store.table.seconds(id) - fromSeconds) / bucketSeconds);
  const add = (list: number[], bucket: number, count: number) => {
    list[bucket] = (list[bucket] ?? 0) + count;
  };
  const addRecord = (head: number) => {
    const level = groups.levelOf(groups.linesOf(head));
    add(level <= ERROR ? errors : level === WARN ? warnings : others, bucketOf(head), 1);
  };

  store.order.chunks.forEach((chunk, at) => {
    const held = view.chunk(at);
    if (held.lines === 0) return;
    const bucket = bucketOf(chunk.first());
    if (bucket === bucketOf(chunk.last())) {
      add(errors, bucket, held.errors.length);
      add(warnings, bucket, held.warns.length);
      add(others, bucket, held.lines - held.errors.length - held.warns.length);
      return;
    }
    for (const head of recordsIn({ store, view }, held)) addRecord(head);
  });
  // The chart goes on while the rows are paused.
  for (const id of withheld) if (store.isHeld(id) && view.isAcceptedHead(id)) addRecord(id);
  return { fromSeconds, bucketSeconds, errors, warnings, others };
}

function spanOf(store: HeldLog['store']): Span | undefined {
  const [first, last] = [store.edgeLine('first'), store.edgeLine('last')];
  if (first === undefined || last === undefined) return undefined;
  return { from: store.table.seconds(first), to: store.table.seconds(last) };
}

/** Yields the records that some rows of the view represent, by their heads. */
function* recordsIn(
  { store, view }: Pick<HeldLog, 'store' | 'view'>,
  { start, count }: { readonly start: number; readonly count: number },
): Generator<number, void, undefined> {
  for (let index = start; index < start + count; index++) {
    const id = view.at(index);
    if (id !== undefined && store.table.kind(id) === KIND.line) yield* view.recordsAt(id);
  }
}

function stepFor(seconds: number): number {
  const step = STEPS.find((each) => each >= seconds);
  return step ?? Math.ceil(seconds / 86_400) * 86_400;
}

function fill(length: number): number[] {
  return Array.from({ length }, () => 0);
}
