import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { factRowText } from '../../messages/facts.ts';
import type { CountedView } from '../coverage/counted-view.ts';
import { withGaps } from '../coverage/gap-buckets.ts';
import { withLeftOut } from '../coverage/left-out.ts';
import { loadedHistogram } from '../coverage/loaded-histogram.ts';
import { rangeHistogram } from '../coverage/range-histogram.ts';
import { PAGE_LIMITS } from '../protocol/limits.ts';
import type { Anchor, EntryId, FacetFilter, FromWorker, ToWorker } from '../protocol/protocol.ts';
import { allowsSource } from '../search/facet-filter.ts';
import { withFacts } from '../search/fact-marks.ts';
import { rolloutsOf, withRollouts } from '../search/rollout-spans.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { FactEntry } from '../store/line-store.ts';
import { linkOf } from '../store/link.ts';
import { type FindHits, makeRow } from '../store/row.ts';

type Question<T extends ToWorker['type']> = Extract<ToWorker, { readonly type: T }>;
type Answer<T extends FromWorker['type']> = Extract<FromWorker, { readonly type: T }>;

/** Maximum rows between two ends of a selection. */
const MAX_RANGE_ROWS = 100_000;

/** Returns the rows around an anchor. */
export function answerRows(
  log: HeldLog,
  { request, anchor, above, below, isUnfolded = false }: Question<'rows'>,
  version: number,
  hitsIn: FindHits | undefined,
): Answer<'rows'> {
  const { store } = log;
  const view = isUnfolded ? log.unfoldedView() : log.view;
  view.refresh();
  const anchorIndex = Math.max(0, Math.min(view.total - 1, indexOf({ store, view }, anchor)));
  const first = Math.max(0, anchorIndex - above);
  const rows = view
    .slice(first, Math.min(PAGE_LIMITS.lines, anchorIndex - first + below))
    .map((id, offset) => makeRow({ store, groups: log.groups, view }, id, first + offset, hitsIn));
  return { type: 'rows', request, version, total: view.total, rows, anchorIndex };
}

/**
 * Returns lines in time order, each once, without markers. Facts are included if lines carry their times and
 * containers. Otherwise the answer copies the bytes of the log and nothing else, unless the request has only facts.
 */
export function answerText(log: HeldLog, { request, entries, isNamed }: Question<'text'>): Answer<'text'> {
  const { store } = log;
  const namespaces = new Set(
    store.sources.all.flatMap(({ wire, isLeftOut }) => (isLeftOut ? [] : wire.namespace)),
  );
  const named = (id: EntryId) => {
    const { wire } = store.sources.get(store.table.source(id));
    const pod = namespaces.size > 1 ? `${wire.namespace}/${wire.pod}` : wire.pod;
    return `${formatTimestamp(store.time(id))} ${pod}/${wire.container} ${store.text(id)}`;
  };
  const whole = wholeOf(log, entries).sort((a, b) => store.compare(a, b));
  const lines = whole.filter((id) => store.table.kind(id) === KIND.line);
  const isWithFacts = isNamed === true || lines.length === 0;
  const rows = isWithFacts
    ? whole.filter((id) => store.facts.has(id) || store.table.kind(id) === KIND.line)
    : lines;
  const textOf = (id: EntryId) => {
    const known = store.facts.get(id);
    if (known !== undefined) return factText(known);
    return isNamed === true ? named(id) : store.text(id);
  };
  return {
    type: 'text',
    request,
    text: rows.map(textOf).join('\n'),
    lines: rows.length,
    link: lines[0] === undefined ? undefined : linkOf(store, lines[0]),
  };
}

/** Formats a fact as a line: its time, as precise as the cluster writes it, its object, and what happened. */
function factText({ fact, restart }: FactEntry): string {
  const at = formatTimestamp(fact.until ?? fact.at);
  const time = fact.precision === 's' ? `${at.slice(0, WHOLE_SECONDS)}Z` : at;
  return `${time} ${factRowText(fact, restart)}`;
}

/** Length of `2026-11-21T10:00:00`. */
const WHOLE_SECONDS = 19;

/** Returns the entries and the entries folded into them. */
export function answerWhole(log: HeldLog, { request, entries }: Question<'whole'>): Answer<'range'> {
  return { type: 'range', request, entries: wholeOf(log, entries) };
}

/** Each entry once, if it is still held. */
function wholeOf({ store, view }: HeldLog, entries: readonly EntryId[]): EntryId[] {
  view.refresh();
  const held = entries.filter((id) => store.isHeld(id));
  return [...new Set(held.flatMap((id) => view.wholeAt(id)))];
}

/** Returns the entries of the view between two entries, both included. */
export function answerRange(
  { store, view }: HeldLog,
  { request, from, to }: Question<'range'>,
): Answer<'range'> {
  view.refresh();
  if (!store.isHeld(from) || !store.isHeld(to)) return { type: 'range', request, entries: [] };
  const [a, b] = [view.indexOf(from), view.indexOf(to)];
  const entries: EntryId[] = view.slice(Math.min(a, b), Math.min(MAX_RANGE_ROWS, Math.abs(a - b) + 1));
  return { type: 'range', request, entries };
}

/** Returns the newest entries of the view, as many as a selection may have. */
export function answerAll({ view }: HeldLog, { request }: Question<'all'>): Answer<'range'> {
  view.refresh();
  const first = Math.max(0, view.total - MAX_RANGE_ROWS);
  return { type: 'range', request, entries: view.slice(first, MAX_RANGE_ROWS) };
}

/**
 * Counts the records of the view by time and level. `loadedRange`: the range if a count of it has read nothing, so that
 * the loaded lines are counted.
 */
export function answerHistogram(
  log: HeldLog,
  question: Question<'histogram'>,
  counted: CountedView | undefined,
  {
    facts,
    filter,
    loadedRange,
    nowMs,
  }: {
    readonly facts: readonly FactEntry[];
    readonly filter: FacetFilter;
    readonly loadedRange: Interval | undefined;
    readonly nowMs: number;
  },
): Answer<'histogram'> {
  log.view.refresh();
  const { buckets } = question;
  const histogram =
    counted === undefined
      ? loadedHistogram(log, loadedRange, buckets)
      : rangeHistogram(log, counted, { wanted: buckets, nowMs });
  const read = withLeftOut(log, counted, histogram, (source) => allowsSource(filter, source));
  return {
    type: 'histogram',
    request: question.request,
    histogram: withRollouts(withFacts(withGaps(log, counted, read), facts), rolloutsOf(facts)),
  };
}

function indexOf({ store, view }: Pick<HeldLog, 'store' | 'view'>, anchor: Anchor): number {
  if (anchor.at === 'start') return 0;
  if (anchor.at === 'end') return view.total - 1;
  if (anchor.at === 'index') return anchor.index;
  anchor.at satisfies 'entry';
  if (store.isHeld(anchor.entry)) return view.indexOf(anchor.entry);
  // The anchor was evicted: the row nearest to it in time replaces it.
  const at = store.table.timeOf(anchor.entry);
  return at === undefined ? view.total - 1 : view.indexAt(store.positionOf(at));
}
