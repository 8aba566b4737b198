import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { inclusive } from '../coverage/missing.ts';
import type { EntryId, JumpTarget } from '../session/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { findLine, parseLink } from '../store/link.ts';
import type { Fill, Gap } from './gap-loader.ts';

type FillGap = (gap: Gap, part: Fill) => Promise<readonly EntryId[]>;
type GapAt = (at: Timestamp) => Gap | undefined;

/** Goes to a place of the whole log; what is there is read when it is not held. Undefined: there is no such line. */
export async function jumpTo(
  log: HeldLog,
  to: JumpTarget,
  count: number,
  fill: FillGap,
  gapAt: GapAt,
): Promise<EntryId | undefined> {
  const { store, edges } = log;
  if (to.at === 'start') {
    if (typeof edges.older !== 'string') {
      await fill({ at: 'older', bound: edges.older }, { startingAt: { bound: undefined, count } });
    }
    const { first } = store.order;
    const place = first === undefined ? undefined : store.missing.get(first);
    if (first !== undefined && place !== undefined) {
      await fill({ at: 'missing', entry: first, place }, { startingAt: { bound: undefined, count } });
    }
    return store.order.first;
  }
  if (to.at === 'end') {
    if (typeof edges.newer !== 'string') {
      await fill({ at: 'newer', bound: edges.newer }, { upTo: { bound: undefined, count } });
    }
    return store.order.last;
  }
  const name = to.at === 'line' ? parseLink(to.link) : undefined;
  if (to.at === 'line' && name === undefined) return undefined;
  const at = to.at === 'line' ? (name?.at as Timestamp) : { seconds: to.seconds, nanos: to.nanos };
  if (name !== undefined) {
    const held = findLine(store, name);
    if (held !== undefined) return held;
  }
  const gap = gapAt(at);
  if (gap !== undefined) {
    await fill(gap, {
      upTo: { bound: { kind: 'strict', at: formatTimestamp(at) }, count },
      startingAt: { bound: inclusive(at), count },
    });
  }
  return name === undefined ? nearestLine(log, at) : findLine(store, name);
}

/** The first line at or behind a time, else the last one. */
function nearestLine({ store }: HeldLog, at: Timestamp): EntryId | undefined {
  const place = store.placeOf(at);
  for (const id of store.order.from(place)) if (store.table.kind(id) === KIND.line) return id;
  for (const id of store.order.back(place)) if (store.table.kind(id) === KIND.line) return id;
  return undefined;
}
