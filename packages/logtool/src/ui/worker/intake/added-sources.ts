import type { LogQuery, WireBound } from '../../../contract/log-query.ts';
import { markerOfCut } from '../../messages/markers.ts';
import type { ViewPlan } from '../session/protocol.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { type Page, readPage } from './page-reader.ts';
import { reportPage } from './page-reports.ts';

/** Maximum lines of added sources that a view loads if it does not follow. */
const MAX_LINES = 100_000;

/** Reads the lines of added sources between the edges of the held part. */
export async function loadBetween(log: HeldLog, options: LoaderOptions): Promise<void> {
  const { plan } = options;
  const { first } = log.store.order;
  const page = await readBetween(log, options);
  const sources: (number | undefined)[] = [];
  for (const source of page.sources) sources[source.index] = log.store.sources.takeRead(source, true);
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

/** Reads the last lines of the plan's sources between the edges of the held part. */
function readBetween(log: HeldLog, { api, plan, signal, clock, nextQuery }: LoaderOptions): Promise<Page> {
  const query: LogQuery = {
    id: nextQuery(),
    sources: [...plan.sources],
    selection: { kind: 'tail', count: MAX_LINES },
    from: boundFrom(log, plan),
    to: boundTo(log, plan),
  };
  return readPage(api, plan.context, query, { signal, clock });
}

/** The lower bound of the held part. Lines at exactly a plain time are held. */
function boundFrom({ edges: { older } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  if (typeof older === 'string') return plan.from;
  return older.kind === 'strict' ? { ...older, kind: 'inclusive' } : older;
}

/** The upper bound of the held part. Lines at exactly the edge belong to the next page. */
function boundTo({ edges: { newer } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  const to = typeof newer === 'string' ? plan.to : newer;
  return to?.kind === 'inclusive' ? { kind: 'strict', at: to.at } : to;
}

/**
 * Reads the lines of the containers that had not answered when a view that is not live was opened, between the edges of
 * the held part. Until it finishes, they count as unanswered. Throws PageError, or the signal's reason.
 */
export async function loadLate(log: HeldLog, options: LoaderOptions): Promise<void> {
  const { store, edges, unanswered } = log;
  const late = store.sources.all.filter(({ wire }) => unanswered.has(wire.id));
  const sources = late.map(({ wire }) => `${wire.namespace}:pods/${wire.pod}/${wire.container}`);
  if (sources.length === 0) return;
  const plan = { ...options.plan, sources: [...new Set(sources)] };
  for (;;) {
    const { older, newer } = edges;
    const page = await readBetween(log, { ...options, plan });
    // The held part has grown meanwhile: read again.
    if (edges.older !== older || edges.newer !== newer) continue;
    putLate(log, page);
    for (const { wire } of late) unanswered.delete(wire.id);
    if (page.end.cut && store.order.first !== undefined)
      log.mark(markerOfCut(plan.sources, MAX_LINES), store.time(store.order.first));
    return;
  }
}

function putLate(log: HeldLog, page: Page): void {
  const { sources } = log.store;
  const own: (number | undefined)[] = [];
  for (const wire of page.sources) {
    // The view's arguments select the container; this query's arguments differ.
    const known = sources.all.find((source) => source.wire.id === wire.id);
    // The user removed its argument during the wait.
    if (known === undefined || known.isLeftOut) continue;
    own[wire.index] = sources.takeRead({ ...wire, arguments: known.wire.arguments }, false);
  }
  const overlap = new Overlap(log.store);
  for (const record of page.records) {
    const line = lineOf(record, own);
    if (line !== undefined) log.putLate(line, overlap);
  }
  const [begin] = page.records;
  reportPage(log, page, begin === undefined ? undefined : { seconds: begin[1], nanos: begin[2] });
}
