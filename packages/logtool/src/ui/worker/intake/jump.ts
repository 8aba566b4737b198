import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { inclusive } from '../known/missing.ts';
import type { EntryId, JumpTarget } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { findLine, parseLink } from '../store/link.ts';
import type { Fill, Gap } from './gap-loader.ts';

type FillGap = (gap: Gap, options: Fill) => Promise<readonly EntryId[]>;
type GapAt = (at: Timestamp) => Gap | undefined;

/** Goes to a position in the log, and loads it if needed. Undefined: no such line exists. */
export async function jumpTo(
  log: HeldLog,
  to: JumpTarget,
  count: number,
  fill: FillGap,
  gapAt: GapAt,
): Promise<EntryId | undefined> {
  const around = async (at: Timestamp) => {
    const gap = gapAt(at);
    if (gap === undefined) return;
    await fill(gap, {
      upTo: { bound: { kind: 'strict', at: formatTimestamp(at) }, count },
      startingAt: { bound: inclusive(at), count },
    });
  };
  switch (to.at) {
    case 'start':
      return jumpToStart(log, { startingAt: { bound: undefined, count } }, fill);
    case 'end':
      return jumpToEnd(log, { upTo: { bound: undefined, count } }, fill);
    case 'line': {
      const line = parseLink(to.link);
      if (line === undefined) return undefined;
      const held = findLine(log.store, line);
      if (held !== undefined) return held;
      await around(line.at);
      return findLine(log.store, line);
    }
    case 'time':
      await around(to);
      return nearestLine(log, to);
  }
}

/** Goes to the first line that the filters show, or to the first line of all if they show none. */
async function jumpToStart(
  { store, edges, view }: HeldLog,
  options: Fill,
  fill: FillGap,
): Promise<EntryId | undefined> {
  if (typeof edges.older !== 'string') await fill({ at: 'older', bound: edges.older }, options);
  const { first } = store.order;
  const range = first === undefined ? undefined : store.missing.get(first);
  if (first !== undefined && range !== undefined) await fill({ at: 'missing', entry: first, range }, options);
  view.refresh();
  return view.at(0) ?? store.order.first;
}

/** Goes to the last line that the filters show, or to the last line of all if they show none. */
async function jumpToEnd(
  { store, edges, view }: HeldLog,
  options: Fill,
  fill: FillGap,
): Promise<EntryId | undefined> {
  if (typeof edges.newer !== 'string') await fill({ at: 'newer', bound: edges.newer }, options);
  view.refresh();
  return view.at(view.total - 1) ?? store.order.last;
}

/** The first line at or after a time, or else the last line. */
function nearestLine({ store }: HeldLog, at: Timestamp): EntryId | undefined {
  const position = store.positionOf(at);
  for (const id of store.order.from(position)) if (store.table.kind(id) === KIND.line) return id;
  for (const id of store.order.back(position)) if (store.table.kind(id) === KIND.line) return id;
  return undefined;
}
