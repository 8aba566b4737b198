import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import type { Edges } from '../coverage/edges.ts';
import { inclusive, timeOfBound } from '../coverage/missing.ts';
import type { EntryId } from '../session/protocol.ts';
import { KIND } from './entry-table.ts';
import type { EntryKey, LineStore } from './line-store.ts';

export interface Limits {
  readonly lines: number;
  readonly bytes: number;
}

/** Lines that go at once; fewer where the limit is small. */
const PORTION = 2048;

/** Beyond the limits by so much, nobody is spared. */
const SLACK_LINES = 10_000;

/**
 * Whether these may go. Lines of one time go together: not those with the reader among them, nor the last that are
 * held, for others of their time may still come.
 */
type May = (ids: readonly EntryId[]) => boolean;

/**
 * Lets lines go until the limits hold, from the end that is farther from the reader: at the beginning one `missing`
 * entry says how many, at the end the held part just ends earlier. Cuts lie between two times, so that what is missing
 * is named by times alone. True when something went.
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
  const { order } = store;
  const ids: EntryId[] = [];
  let lines = 0;
  let known = 0;
  let isKnown = true;
  let from: WireBound | undefined;
  let to: WireBound | undefined;
  let key: EntryKey | undefined;
  for (const id of order.from({ chunk: 0, offset: 0 })) {
    const place = store.missing.get(id);
    const isLine = store.table.kind(id) === KIND.line;
    const at = place === undefined ? store.time(id) : timeOfBound(place.from);
    if (lines >= portion && to !== undefined && compareTimestamps(timeOfBound(to), at) !== 0) break;
    ids.push(id);
    if (place !== undefined) {
      if (place.lines === undefined) isKnown = false;
      known += place.lines ?? 0;
    } else if (isLine) lines++;
    else continue;
    from ??= place?.from ?? startOf(edges, at);
    to = place?.to ?? inclusive(at);
    key ??= store.keyOf(id);
  }
  if (lines === 0 || from === undefined || to === undefined || key === undefined) return 0;
  if (!may(ids)) return 0;
  store.removeAtEdge('first', ids);
  store.addMissingFirst({ from, to, lines: isKnown ? known + lines : undefined, state: 'idle' }, key);
  return lines;
}

/** Where the first held line begins: others of its time may lie before it. */
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
  // A place that is missing right at the end is part of what comes behind.
  for (let { last } = order; last !== undefined && store.missing.has(last); last = order.last) {
    edges.newer = store.missing.get(last)?.from ?? edges.newer;
    store.removeAtEdge('last', [last]);
  }
  return lines;
}

function isSameTime(store: LineStore, a: EntryId, b: EntryId): boolean {
  return store.table.seconds(a) === store.table.seconds(b) && store.table.nanos(a) === store.table.nanos(b);
}
