import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import type { Edges } from '../known/edges.ts';
import { inclusive, type MissingRange, timeOfBound } from '../known/missing.ts';
import type { Limits } from '../protocol/limits.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from './entry-table.ts';
import type { LineStore } from './line-store.ts';

/** Lines to evict at once; fewer if the limit is small. */
const PORTION = 2048;

/** Beyond twice the limit plus this many lines, eviction spares no line. */
const SLACK_LINES = 10_000;

/**
 * Whether these entries may be evicted. Lines of one time are evicted together, but not with the reader among them, and
 * not if they are the last ones held, because others of their time may still arrive.
 */
type May = (ids: readonly EntryId[]) => boolean;

/**
 * Evicts lines until the limits hold, from the end that is farther from the reader. At the beginning, one `missing`
 * entry gives their number; at the end, the held part ends earlier. Cuts fall between two times, so that times identify
 * what is missing. Returns true if lines were evicted.
 */
export function evict(store: LineStore, edges: Edges, limits: Limits, reader: EntryId | undefined): boolean {
  let went = false;
  while (store.lines > limits.lines || store.arena.bytes > limits.bytes) {
    const middle = reader !== undefined && store.isHeld(reader) ? indexOf(store, reader) : store.order.length;
    const fromStart = middle >= store.order.length / 2;
    const portion = Math.max(1, Math.min(PORTION, Math.ceil(limits.lines / 16)));
    const isFar = store.lines > 2 * limits.lines + SLACK_LINES || store.arena.bytes > 2 * limits.bytes;
    const may: May = (ids) =>
      isFar || !(ids.length === store.order.length || ids.some((id) => id === reader));
    const ways = [evictFirst, evictLast];
    if (!fromStart) ways.reverse();
    const [far = evictFirst, near = evictLast] = ways;
    const count = far(store, edges, portion, may) || near(store, edges, portion, may);
    if (count === 0) break;
    went = true;
  }
  if (went) store.reclaim();
  return went;
}

function indexOf(store: LineStore, id: EntryId): number {
  const { chunk, offset } = store.locate(id);
  return store.order.start(chunk) + offset;
}

function evictFirst(store: LineStore, edges: Edges, portion: number, may: May): number {
  const ids = firstEntries(store, portion);
  const dated = ids.filter((id) => isDated(store, id));
  const [first] = dated;
  const last = dated.at(-1);
  const lines = ids.filter((id) => store.table.kind(id) === KIND.line).length;
  if (lines === 0 || first === undefined || last === undefined || !may(ids)) return 0;
  const range: MissingRange = {
    from: store.missing.get(first)?.from ?? startOf(edges, store.time(first)),
    to: store.missing.get(last)?.to ?? inclusive(store.time(last)),
    lines: linesAmong(store, dated),
    state: 'idle',
  };
  const key = store.keyOf(first);
  store.removeAtEdge('first', ids);
  store.addMissingFirst(range, key);
  return lines;
}

/** The first entries, with this many lines or a few more: the cut falls between two times. */
function firstEntries(store: LineStore, portion: number): readonly EntryId[] {
  const ids: EntryId[] = [];
  let lines = 0;
  let end: Timestamp | undefined;
  for (const id of store.order.from({ chunk: 0, offset: 0 })) {
    const range = store.missing.get(id);
    const begin = range === undefined ? store.time(id) : timeOfBound(range.from);
    if (lines >= portion && end !== undefined && compareTimestamps(end, begin) !== 0) break;
    ids.push(id);
    if (!isDated(store, id)) continue;
    if (store.table.kind(id) === KIND.line) lines++;
    end = range === undefined ? begin : timeOfBound(range.to);
  }
  return ids;
}

/** Whether an entry is a line or a missing range, rather than a marker or fact among them. */
function isDated({ table }: LineStore, id: EntryId): boolean {
  return table.kind(id) === KIND.line || table.kind(id) === KIND.missing;
}

/** The number of these lines, including those of missing ranges; undefined if unknown. */
function linesAmong(store: LineStore, ids: readonly EntryId[]): number | undefined {
  let sum = 0;
  for (const id of ids) {
    const range = store.missing.get(id);
    const lines = range === undefined ? 1 : range.lines;
    if (lines === undefined) return undefined;
    sum += lines;
  }
  return sum;
}

/** Where the first held line begins: others of its time may come before it. */
function startOf({ older }: Edges, at: Timestamp): WireBound {
  const isCursor = typeof older !== 'string' && older.kind === 'cursor';
  return isCursor && compareTimestamps(timeOfBound(older), at) === 0 ? older : inclusive(at);
}

function evictLast(store: LineStore, edges: Edges, portion: number, may: May): number {
  const { table, order } = store;
  const ids: EntryId[] = [];
  let lines = 0;
  let earliest: EntryId | undefined;
  for (const id of order.back(order.end())) {
    if (earliest !== undefined && lines >= portion && !isSameTime(store, earliest, id)) break;
    ids.push(id);
    if (table.kind(id) !== KIND.line) continue;
    lines++;
    earliest = id;
  }
  if (earliest === undefined) return 0;
  if (!may(ids)) return 0;
  edges.newer = inclusive(store.time(earliest));
  store.removeAtEdge('last', ids);
  // A missing range right at the end becomes part of what follows the held part.
  for (let last = lastDated(store); last !== undefined && store.missing.has(last); last = lastDated(store)) {
    edges.newer = store.missing.get(last)?.from ?? edges.newer;
    store.removeAtEdge('last', [last]);
  }
  return lines;
}

/** Returns the last entry, evicting facts after it: they return with the lines around them. */
function lastDated(store: LineStore): EntryId | undefined {
  const { order, facts } = store;
  for (let { last } = order; last !== undefined && facts.has(last); last = order.last)
    store.removeAtEdge('last', [last]);
  return order.last;
}

function isSameTime(store: LineStore, a: EntryId, b: EntryId): boolean {
  return store.table.seconds(a) === store.table.seconds(b) && store.table.nanos(a) === store.table.nanos(b);
}
