import type { LogQuery, WireBound } from '../../../contract/log-query.ts';
import { markerOfCut } from '../../messages/markers.ts';
import type { ViewPlan } from '../session/protocol.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { readPage } from './page-reader.ts';
import { reportPage } from './page-reports.ts';

/** Lines of new sources that a view takes which does not follow. */
const MAX_LINES = 100_000;

/** Reads the lines of sources that were added, between the edges of what is held. */
export async function loadBetween(log: HeldLog, options: LoaderOptions): Promise<void> {
  const { api, plan, signal, clock, nextQuery } = options;
  const { first } = log.store.order;
  const from = boundFrom(log, plan);
  const to = boundTo(log, plan);
  const query: LogQuery = {
    id: nextQuery(),
    sources: [...plan.sources],
    selection: { kind: 'tail', count: MAX_LINES },
    from,
    to,
  };
  const page = await readPage(api, plan.context, query, { signal, clock });
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
