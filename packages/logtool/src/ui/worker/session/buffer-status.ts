import { compareTimestamps, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireContainerState } from '../../../contract/log-source.ts';
import { readOfAll } from '../../../domain/coverage/coverage.ts';
import { covers } from '../../../domain/coverage/interval.ts';
import { mayBeRotatedEmpty } from '../../../domain/coverage/lost.ts';
import type { CountedView } from '../coverage/counted-view.ts';
import { heldCoverage } from '../coverage/held-coverage.ts';
import { hasGaps } from '../coverage/known-gaps.ts';
import type { BufferStatus, EntryId, FactsStatus, HitOrdinal } from '../protocol/protocol.ts';
import { hitsBeforeHit } from '../search/hit-ordinal.ts';
import type { Searcher } from '../search/searcher.ts';
import { unansweredOf } from '../search/source-condition.ts';
import type { HeldLog } from '../store/held-log.ts';

const MAX_TICKS = 200;

interface ViewEnd {
  readonly nowMs: number;
  /** The first time after the range; undefined: it has no end. */
  readonly to: Timestamp | undefined;
}

/** Makes the status that the page gets after each change. */
export function makeStatus(
  log: HeldLog,
  searcher: Searcher,
  counted: CountedView | undefined,
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
    | 'runSearch'
    | 'finding'
  > & { readonly facts: Omit<FactsStatus, 'rows' | 'ticks'> } & Pick<
      BufferStatus['search'],
      'missingField' | 'ordinal'
    > & { readonly lastHit: EntryId | undefined; readonly end: ViewEnd },
): BufferStatus {
  const { store, view, edges } = log;
  view.refresh();
  const { first } = store.order;
  const [oldest, newest] = [store.edgeLine('first'), store.edgeLine('last')];
  const { missingField, ordinal, lastHit, facts, end, ...rest } = state;
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
    goneRuns: [...log.goneRuns.values()].reduce((sum, runs) => sum + runs, 0),
    goneContainers: cutContainers(log).size,
    hasGaps: hasGaps(log, counted),
    ...lostBeginningsOf(log),
    emptyOnNodes: store.lines + (rest.scan?.lines ?? 0) > 0 ? [] : emptyOnNodes(log, end),
    atEnd: edges.newer === 'now',
    isWhole: covers(
      readOfAll(heldCoverage(log), (id) => log.problemOf(id) === undefined),
      { from: undefined, to: undefined },
    ),
    pausedLines: log.withheld.length,
    arrived: log.arrivedInView,
    awayContainers: log.away.size,
    unanswered: unansweredOf(log, searcher.facets),
    search: { missingField, ...hitsOf(log, searcher, { ...rest, ordinal, lastHit }) },
    errorTicks: view.ticks('errors', MAX_TICKS),
    warnTicks: view.ticks('warns', MAX_TICKS),
  };
}

type Counted = Pick<BufferStatus, 'scan' | 'hitScan'> &
  Pick<BufferStatus['search'], 'ordinal'> & { readonly lastHit: EntryId | undefined };

function hitsOf(
  log: HeldLog,
  { status }: Searcher,
  { scan, hitScan, ordinal, lastHit }: Counted,
): Omit<BufferStatus['search'], 'missingField'> {
  const hits = log.view.count('hits');
  const { searchedBackTo } = status;
  // Hits that the page shows must not be missing from its count: it is then that of the loaded lines.
  const hasEarlier = searchedBackTo !== undefined && hitsBefore(log, searchedBackTo) > 0;
  const isCounted = (hitScan ?? scan)?.hits !== undefined;
  return {
    ...status,
    searchedBackTo: hasEarlier ? undefined : searchedBackTo,
    ordinal: isCounted ? ordinal : ordinalOfHeld(log, lastHit),
    hits,
    ticks: log.view.ticks('hits', MAX_TICKS),
  };
}

/** The ordinal of a hit among the held ones. */
function ordinalOfHeld(log: HeldLog, entry: EntryId | undefined): HitOrdinal | undefined {
  const before = entry === undefined ? undefined : hitsBeforeHit(log, entry);
  return entry === undefined || before === undefined ? undefined : { entry, value: before + 1 };
}

/** The containers whose log begins late, counted, and their nodes. */
function lostBeginningsOf({ lost, store }: HeldLog): Pick<BufferStatus, 'lostBeginnings' | 'lostOnNodes'> {
  const late = [...lost].flatMap(([key, { id }]) => (key.startsWith('begins-late ') ? [id] : []));
  const nodes = store.sources.all.flatMap(({ wire: { id, node } }) =>
    node !== undefined && late.includes(id) ? [node] : [],
  );
  return { lostBeginnings: late.length, lostOnNodes: [...new Set(nodes)].sort() };
}

/**
 * The nodes of containers whose run began so long ago that an empty log may have been rotated. A run that began after
 * the range has no file with lines of it.
 */
function emptyOnNodes({ store }: HeldLog, { nowMs, to }: ViewEnd): readonly string[] {
  const isIn = (start: Timestamp | undefined) =>
    start === undefined || to === undefined || compareTimestamps(start, to) < 0;
  const nodes = store.sources.all.flatMap(({ owner: { isGone, state }, isLeftOut, wire: { node } }) => {
    const isHere = !isGone && !isLeftOut && node !== undefined;
    const start = startOf(state);
    return isHere && isIn(start) && mayBeRotatedEmpty(start, nowMs / 1_000) ? [node] : [];
  });
  return [...new Set(nodes)].sort();
}

function startOf(state: WireContainerState): Timestamp | undefined {
  const text = state.kind === 'waiting' ? undefined : state.startedAt;
  return text === undefined ? undefined : parseTimestamp(text);
}

/** Number of held hits before a time, in seconds since the epoch. */
function hitsBefore({ view, store }: HeldLog, seconds: number): number {
  return view.countBefore('hits', view.indexAt(store.positionOf({ seconds, nanos: 0 })));
}

/** Containers (LogSource.id) that no longer exist, and had lines that are not held. */
function cutContainers({ store }: HeldLog): ReadonlySet<string> {
  const cut = store.sources.all.filter(({ owner, isLeftOut }) => owner.isCut && !isLeftOut);
  return new Set(cut.map(({ wire }) => wire.id));
}
