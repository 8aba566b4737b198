import type { Searcher } from '../search/searcher.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { BufferStatus, FactsStatus } from './protocol.ts';
import { unansweredOf } from './source-condition.ts';

const MAX_TICKS = 200;

/** Makes the status that the page gets after each change. */
export function makeStatus(
  log: HeldLog,
  searcher: Searcher,
  state: Pick<
    BufferStatus,
    | 'version'
    | 'asked'
    | 'loading'
    | 'connection'
    | 'receivedPerSecond'
    | 'errorsPerSecond'
    | 'scan'
    | 'hitScan'
    | 'isCountCut'
    | 'finding'
  > & { readonly facts: Omit<FactsStatus, 'rows' | 'ticks'> } & Pick<BufferStatus['search'], 'missingField'>,
): BufferStatus {
  const { store, view, edges } = log;
  view.refresh();
  const { first } = store.order;
  const [oldest, newest] = [store.edgeLine('first'), store.edgeLine('last')];
  const { missingField, facts, ...rest } = state;
  const { searchedBackTo } = searcher.status;
  const hits = view.count('hits');
  return {
    ...rest,
    facts: { ...facts, rows: view.count('facts'), ticks: view.ticks('facts', MAX_TICKS) },
    rows: view.total,
    lines: store.lines,
    bytes: store.arena.bytes,
    oldestSeconds: oldest === undefined ? undefined : store.table.seconds(oldest),
    newestSeconds: newest === undefined ? undefined : store.table.seconds(newest),
    atBeginning:
      edges.older === 'beginning' &&
      !log.lacksContainers &&
      (first === undefined || !store.missing.has(first)),
    lostBeginnings: [...log.lost.keys()].filter((key) => key.startsWith('begins-late ')).length,
    atEnd: edges.newer === 'now',
    pausedLines: log.withheld.length,
    arrived: log.arrivedInView,
    awayContainers: log.away.size,
    unanswered: unansweredOf(log, searcher.facets),
    search: {
      ...searcher.status,
      missingField,
      hits,
      hitsSince: searchedBackTo === undefined ? undefined : hits - hitsBefore(log, searchedBackTo),
      ticks: view.ticks('hits', MAX_TICKS),
    },
    errorTicks: view.ticks('errors', MAX_TICKS),
    warnTicks: view.ticks('warns', MAX_TICKS),
  };
}

/** Number of held hits before a time, in seconds since the epoch. */
function hitsBefore({ view, store }: HeldLog, seconds: number): number {
  return view.countBefore('hits', view.indexAt(store.positionOf({ seconds, nanos: 0 })));
}
