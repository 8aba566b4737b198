import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogQuery, WireBound } from '../../../contract/log-query.ts';
import { compareStarts } from '../../../domain/coverage/interval.ts';
import { endsWhere, hullOf, type LateRange, plainFrom } from '../known/late-ranges.ts';
import { intervalOf, timeOfBound } from '../known/missing.ts';
import type { EntryId, ViewPlan } from '../protocol/protocol.ts';
import { viewQuery } from '../protocol/view-query.ts';
import { KIND } from '../store/entry-table.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import type { LineStore, NewLine } from '../store/line-store.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { heldFrom, heldTo } from './held-bounds.ts';
import { type AnsweredPage, readAnswered } from './page-reader.ts';
import { failedIn, reportPage } from './page-reports.ts';

/** Maximum containers to read at once; the server accepts this many sources. */
const MAX_CONTAINERS = 200;
/** Maximum lines to read at once: the server waits for every container of a larger window. */
const MAX_LINES = 20_000;

/** A late container (LogSource.id) and what is lacking of it. */
interface Asked {
  readonly id: string;
  readonly ranges: readonly LateRange[];
}

/**
 * Notes that a view that is not live was opened without the containers that had not answered: their lines are lacking
 * between the edges of the held part.
 */
export function missUnanswered(log: HeldLog, plan: ViewPlan): void {
  const range = { from: heldFrom(log, plan), to: heldTo(log, plan) };
  for (const [id, sinceMs] of log.unanswered) log.late.add(id, range, sinceMs);
  log.unanswered.clear();
}

/**
 * Reads lines of the late containers, once: those of the containers that answer are inserted at their place. Returns
 * false if none of them could be read. Throws PageError, or the signal's reason.
 */
export async function loadLate(log: HeldLog, options: LoaderOptions): Promise<boolean> {
  dropUnheld(log, options.plan);
  const asked = [...log.late.keys()]
    .slice(0, MAX_CONTAINERS)
    .map((id) => ({ id, ranges: log.late.rangesOf(id) }));
  const sources = sourcesOf(log, asked);
  if (sources.length === 0) {
    for (const { id } of asked) log.late.forget(id);
    return true;
  }
  const page = await readLate(log, options, asked, sources);
  putLate(log, page, new LaterLines(log.store, asked));
  const failed = failedIn(page);
  let hasRead = false;
  for (const each of asked) {
    if (page.late.includes(each.id) || failed.has(each.id)) continue;
    if (settle(log, page, each, hullOf(asked.flatMap(({ ranges }) => ranges)))) hasRead = true;
  }
  return hasRead;
}

/** Notes what was read of a container. Returns false if the page did not get further. */
function settle({ late }: HeldLog, { end }: AnsweredPage, { id, ranges }: Asked, hull: LateRange): boolean {
  const rest = { from: hull.from, to: cursor(end.prev) };
  // More lines have one time than a page has.
  if (end.cut && endsWhere(rest, hull)) return false;
  late.settle(id, ranges, end.cut ? rest : undefined);
  return true;
}

function cursor(at: string | undefined): WireBound | undefined {
  return at === undefined ? undefined : { kind: 'cursor', at };
}

function readLate(
  log: HeldLog,
  { api, plan, signal, clock, nextQuery }: LoaderOptions,
  asked: readonly Asked[],
  sources: readonly string[],
): Promise<AnsweredPage> {
  const { from, to } = hullOf(asked.flatMap(({ ranges }) => ranges));
  const held = heldFrom(log, plan);
  const begin = compareStarts(startOf(from), startOf(held)) < 0 ? held && plainFrom(held) : from;
  const queryOf = (): LogQuery => ({
    id: nextQuery(),
    ...viewQuery({ ...plan, sources }),
    selection: { kind: 'tail', count: MAX_LINES },
    from: begin,
    to,
  });
  const isEnough = (silent: readonly string[]) => asked.some(({ id }) => !silent.includes(id));
  return readAnswered(api, plan.context, queryOf, { signal, clock, silent: [], isEnough });
}

function startOf(bound: WireBound | undefined): Timestamp | undefined {
  return bound && intervalOf({ from: bound }).from;
}

/** Drops ranges that are not held any more: they are read again with all containers. */
function dropUnheld({ late, store, edges }: HeldLog, plan: ViewPlan): void {
  const { first } = store.order;
  const missing = first === undefined ? undefined : store.missing.get(first);
  const begin = missing === undefined ? undefined : intervalOf(missing).to;
  const end = typeof edges.newer === 'string' ? undefined : startOf(edges.newer);
  if (begin === undefined && end === undefined) return;
  const isUnheld = (range: LateRange) => {
    const { from, to } = intervalOf({ from: range.from ?? plan.from, to: range.to });
    const isBefore = begin !== undefined && to !== undefined && compareTimestamps(to, begin) <= 0;
    return isBefore || (end !== undefined && from !== undefined && compareTimestamps(from, end) >= 0);
  };
  for (const id of [...late.keys()]) late.settle(id, late.rangesOf(id).filter(isUnheld));
}

/** Returns the source arguments of these containers. */
function sourcesOf({ store }: HeldLog, asked: readonly Asked[]): readonly string[] {
  const ids = new Set(asked.map(({ id }) => id));
  const wires = store.sources.all.flatMap(({ wire, owner }) =>
    ids.has(wire.id) && !owner.isGone ? [wire] : [],
  );
  return [...new Set(wires.map(({ namespace, pod, container }) => `${namespace}:pods/${pod}/${container}`))];
}

/** The view's arguments select a container; those of this query select only it. Omits what the user has removed. */
function underTheView({ store: { sources } }: HeldLog, page: AnsweredPage): AnsweredPage {
  const known = page.sources.flatMap((wire) => {
    const own = sources.all.find((source) => source.wire.id === wire.id);
    return own === undefined || own.isLeftOut ? [] : [{ ...wire, arguments: own.wire.arguments }];
  });
  return { ...page, sources: known };
}

function putLate(log: HeldLog, answered: AnsweredPage, later: LaterLines): void {
  const { sources } = log.store;
  const own: (number | undefined)[] = [];
  const page = underTheView(log, answered);
  for (const wire of page.sources) own[wire.index] = sources.takeRead(wire, false);
  const overlap = new Overlap(log.store);
  for (const record of page.records) {
    const line = lineOf(record, own);
    if (line !== undefined) log.putLate(line, overlap, later.after(line));
  }
  const [begin] = page.records;
  reportPage(log, page, begin === undefined ? undefined : { seconds: begin[1], nanos: begin[2] });
}

/** Knows the held lines at the times where ranges end: the lines of the range at such a time come before them. */
class LaterLines {
  readonly #store: LineStore;
  /** By time and container: the first held line. */
  readonly #first = new Map<string, EntryId | undefined>();

  constructor(store: LineStore, asked: readonly Asked[]) {
    this.#store = store;
    for (const { id, ranges } of asked)
      for (const { to } of ranges) {
        const at = to?.kind === 'inclusive' ? timeOfBound(to) : undefined;
        if (at !== undefined) this.#first.set(keyOf(id, at), this.#firstAt(id, at));
      }
  }

  /** The held line that follows this one and has the same time. */
  after(line: NewLine): EntryId | undefined {
    if (this.#first.size === 0) return undefined;
    return this.#first.get(keyOf(this.#store.sources.get(line.source).wire.id, line));
  }

  #firstAt(id: string, at: Timestamp): EntryId | undefined {
    const { order, table, sources } = this.#store;
    for (const entry of order.from(this.#store.positionOf(at))) {
      if (compareTimestamps(this.#store.time(entry), at) !== 0) return undefined;
      if (table.kind(entry) === KIND.line && sources.get(table.source(entry)).wire.id === id) return entry;
    }
    return undefined;
  }
}

function keyOf(id: string, { seconds, nanos }: Timestamp): string {
  return `${seconds} ${nanos} ${id}`;
}
