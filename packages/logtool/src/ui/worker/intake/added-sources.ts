import type { LogQuery } from '../../../contract/log-query.ts';
import { markerOfCut } from '../../messages/markers.ts';
import { viewQuery } from '../protocol/view-query.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { heldFrom, heldTo } from './held-bounds.ts';
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
    ...viewQuery(plan),
    selection: { kind: 'tail', count: MAX_LINES },
    from: heldFrom(log, plan),
    to: heldTo(log, plan),
  };
  return readPage(api, plan.context, query, { signal, clock });
}
