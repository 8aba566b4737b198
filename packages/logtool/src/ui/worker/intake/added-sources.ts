import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogQuery, WireBound } from '../../../contract/log-query.ts';
import { markerOfCut } from '../../messages/markers.ts';
import { hullOf, type LateRange } from '../coverage/late-ranges.ts';
import { timeOfBound } from '../coverage/missing.ts';
import type { EntryId, ViewPlan } from '../session/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import type { LineStore, NewLine } from '../store/line-store.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { PAGE_PATIENCE_MS, type Page, readPage } from './page-reader.ts';
import { reportPage } from './page-reports.ts';

/** Lines of new sources that a view takes which does not follow. */
const MAX_LINES = 100_000;

/** Reads the lines of sources that were added, between the edges of what is held. */
export async function loadBetween(log: HeldLog, options: LoaderOptions): Promise<void> {
  const { plan } = options;
  const { first } = log.store.order;
  const page = await readBetween(log, options);
  const sources: (number | undefined)[] = [];
  for (const source of page.sources) sources[source.index] = log.store.sources.take(source, true);
  const overlap = new Overlap(log.store);
  for (const record of page.records) {
    const line = lineOf(record, sources);
    if (line !== undefined && !overlap.takes(line)) log.store.addLine(line, {});
  }
  const [begin] = page.records;
  reportPage(log, page, begin === undefined ? undefined : { seconds: begin[1], nanos: begin[2] });
  if (!page.end.cut || first === undefined) return;
  log.mark(markerOfCut(plan.sources, MAX_LINES), log.store.time(first));
}

/** The last lines of the plan's sources between the edges of what is held. */
function readBetween(log: HeldLog, options: LoaderOptions): Promise<Page> {
  const { plan } = options;
  return readTail(options, plan.sources, { from: boundFrom(log, plan), to: boundTo(log, plan) });
}

function readTail(
  { api, plan, signal, clock, nextQuery }: LoaderOptions,
  sources: readonly string[],
  where: Pick<LogQuery, 'from' | 'to' | 'patienceMs' | 'mayBeEmpty'>,
): Promise<Page> {
  const selection = { kind: 'tail', count: MAX_LINES } as const;
  const query: LogQuery = { id: nextQuery(), sources: [...sources], selection, ...where };
  return readPage(api, plan.context, query, { signal, clock });
}

/** The lower bound of what is held. Lines right at a plain time are held. */
function boundFrom({ edges: { older } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  if (typeof older === 'string') return plan.from;
  return older.kind === 'strict' ? { ...older, kind: 'inclusive' } : older;
}

/** The upper bound of what is held. Lines right at the edge belong to the page after it. */
function boundTo({ edges: { newer } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  const to = typeof newer === 'string' ? plan.to : newer;
  return to?.kind === 'inclusive' ? { kind: 'strict', at: to.at } : to;
}

/**
 * A view that is not live was opened without the containers that had not answered: their lines are missing between the
 * edges of what is held.
 */
export function missUnanswered(log: HeldLog, plan: ViewPlan): void {
  const range = { from: boundFrom(log, plan), to: boundTo(log, plan) };
  for (const [id, sinceMs] of log.unanswered) log.late.add(id, range, sinceMs);
}

/**
 * Reads the lines of the containers that views and pages were given without, between the bounds of those. Until it is
 * done, they have not answered. Throws PageError, or the signal's reason.
 */
export async function loadLate(log: HeldLog, options: LoaderOptions, onRead: () => void): Promise<void> {
  for (;;) {
    const { waiting } = log.late;
    const asked = [...waiting.keys()].slice(0, MAX_LATE).map((id) => ({ id, ranges: log.late.rangesOf(id) }));
    const sources = sourcesOf(log, new Set(asked.map(({ id }) => id)));
    if (sources.length === 0) return;
    const { from, to } = hullOf(asked.flatMap(({ ranges }) => ranges));
    const page = await readTail(options, sources, {
      from,
      to,
      patienceMs: PAGE_PATIENCE_MS,
      mayBeEmpty: true,
    });
    putLate(log, page, new LaterLines(log.store, asked));
    for (const each of asked) if (!page.late.includes(each.id)) settle(log, page, each);
    if (page.end.cut && log.store.order.first !== undefined)
      log.mark(markerOfCut(sources, MAX_LINES), log.store.time(log.store.order.first));
    onRead();
  }
}

/** Containers that are asked for at once. */
const MAX_LATE = 200;

/** These ranges of a container were read, as far back as the page goes. */
function settle({ late, unanswered }: HeldLog, { end }: Page, { id, ranges }: Asked): void {
  unanswered.delete(id);
  const { prev } = end;
  const to = prev === undefined ? undefined : ({ kind: 'cursor', at: prev } as const);
  const rest = { from: hullOf(ranges).from, to };
  late.settle(id, ranges, end.cut ? rest : undefined);
}

interface Asked {
  readonly id: string;
  readonly ranges: readonly LateRange[];
}

/** Where a range ends among lines of one time, the later ones of them are held. */
class LaterLines {
  readonly #store: LineStore;
  /** By container, the times where a range of it ends; of each, the first held line. */
  readonly #first = new Map<string, EntryId | undefined>();

  constructor(store: LineStore, asked: readonly Asked[]) {
    this.#store = store;
    for (const { id, ranges } of asked)
      for (const { to } of ranges) {
        const at = to?.kind === 'inclusive' ? timeOfBound(to) : undefined;
        if (at !== undefined) this.#first.set(keyOf(id, at), this.#firstAt(id, at));
      }
  }

  /** The held line that comes after this one, which has the same time. */
  after(line: NewLine): EntryId | undefined {
    if (this.#first.size === 0) return undefined;
    return this.#first.get(keyOf(this.#store.sources.get(line.source).wire.id, line));
  }

  #firstAt(id: string, at: Timestamp): EntryId | undefined {
    const { order, table, sources } = this.#store;
    for (const entry of order.from(this.#store.positionOf(at))) {
      if (table.seconds(entry) !== at.seconds || table.nanos(entry) !== at.nanos) return undefined;
      if (table.kind(entry) === KIND.line && sources.get(table.source(entry)).wire.id === id) return entry;
    }
    return undefined;
  }
}

function keyOf(id: string, { seconds, nanos }: Timestamp): string {
  return `${seconds} ${nanos} ${id}`;
}

/** The arguments of these containers. */
function sourcesOf({ store }: HeldLog, ids: ReadonlySet<string>): readonly string[] {
  const wires = store.sources.all.map(({ wire }) => wire).filter(({ id }) => ids.has(id));
  return [...new Set(wires.map(({ namespace, pod, container }) => `${namespace}:pods/${pod}/${container}`))];
}

function putLate(log: HeldLog, page: Page, later: LaterLines): void {
  const { sources } = log.store;
  const own: (number | undefined)[] = [];
  for (const wire of page.sources) {
    // The arguments of the view mean it, not those of this question.
    const known = sources.all.find((source) => source.wire.id === wire.id);
    // Its argument was removed while it was waited for.
    if (known === undefined || known.isLeftOut) continue;
    own[wire.index] = sources.take({ ...wire, arguments: known.wire.arguments }, false);
  }
  const overlap = new Overlap(log.store);
  for (const record of page.records) {
    const line = lineOf(record, own);
    if (line !== undefined) log.putLate(line, overlap, later.after(line));
  }
  const [begin] = page.records;
  reportPage(log, page, begin === undefined ? undefined : { seconds: begin[1], nanos: begin[2] });
}
