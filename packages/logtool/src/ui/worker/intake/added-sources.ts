import type { LogQuery } from '../../../contract/log-query.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { Overlap } from '../store/overlap.ts';
import type { LoaderOptions } from './gap-loader.ts';
import { readPage } from './page-reader.ts';
import { tellTroubles } from './page-troubles.ts';

/** Lines of new sources that a view takes which does not follow. */
const MOST_LINES = 100_000;

/** Reads the lines of sources that were added, between the edges of what is held. */
export async function loadBetween(log: HeldLog, options: LoaderOptions): Promise<void> {
  const { api, plan, signal, clock, nextQuery } = options;
  const { first } = log.store.order;
  const { older } = log.edges;
  // What lies right at a plain time is held.
  const from =
    typeof older === 'string'
      ? plan.from
      : older.kind === 'strict'
        ? { ...older, kind: 'inclusive' as const }
        : older;
  const to = typeof log.edges.newer === 'string' ? plan.to : log.edges.newer;
  const query: LogQuery = {
    id: nextQuery(),
    sources: [...plan.sources],
    selection: { kind: 'tail', count: MOST_LINES },
    ...(from === undefined ? {} : { from }),
    // What lies right at the edge belongs to the page behind it.
    ...(to === undefined ? {} : { to: to.kind === 'inclusive' ? { kind: 'strict', at: to.at } : to }),
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
  tellTroubles(log, page, begin === undefined ? undefined : { seconds: begin[1], nanos: begin[2] });
  if (!page.end.cut || first === undefined) return;
  log.mark(
    {
      marker: 'notice',
      source: undefined,
      text: `Older lines of ${plan.sources.join(', ')} are not shown: more than ${MOST_LINES.toLocaleString('en')} came`,
      isWarning: true,
    },
    log.store.time(first),
  );
}
