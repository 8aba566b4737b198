import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { LogQuery, WireBound } from '../../../contract/log-query.ts';
import { isCounted, type LateRange, plainFrom, plainTo } from '../known/late-ranges.ts';
import { isAfter, isBefore, isInside, type MissingRange, timeOfBound } from '../known/missing.ts';
import type { EntryId, ViewPlan } from '../protocol/protocol.ts';
import { viewQuery } from '../protocol/view-query.ts';
import { KIND } from '../store/entry-table.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import type { NewLine } from '../store/line-store.ts';
import { Overlap } from '../store/overlap.ts';
import { linesOf } from '../store/source-table.ts';
import { fitting } from './fit-body.ts';
import { type AnsweredPage, PAGE_PATIENCE_MS, readAnswered } from './page-reader.ts';
import { failedIn, reportPage } from './page-reports.ts';

/** A range that is not held: before the first entry, after the last one, or between two. */
export type Gap =
  | { readonly at: 'older'; readonly bound: WireBound }
  | { readonly at: 'newer'; readonly bound: WireBound }
  | { readonly at: 'missing'; readonly entry: EntryId; readonly range: MissingRange };

/** What to read: the last `count` lines up to a bound, the first ones from a bound, or both (around a time). */
export interface Fill {
  readonly upTo?: { readonly bound: WireBound | undefined; readonly count: number };
  readonly startingAt?: { readonly bound: WireBound | undefined; readonly count: number };
}

export interface LoaderOptions {
  readonly api: ApiClient;
  readonly plan: ViewPlan;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly nextQuery: () => number;
}

/** The gap that contains a time; undefined if lines are held there. */
export function gapAt(log: HeldLog, at: Timestamp): Gap | undefined {
  const { older, newer } = log.edges;
  if (typeof older !== 'string' && isBefore(older, at)) return { at: 'older', bound: older };
  if (typeof newer !== 'string' && isAfter(newer, at)) return { at: 'newer', bound: newer };
  for (const [entry, range] of log.store.missing) {
    if (isInside(range, at)) return { at: 'missing', entry, range };
  }
  return undefined;
}

/**
 * Reads lines of a gap and inserts them; the rest of the gap on either side remains a gap. Returns the new entries.
 * Throws PageError, or the signal's reason.
 */
export async function fillGap(
  log: HeldLog,
  gap: Gap,
  fill: Fill,
  options: LoaderOptions,
): Promise<readonly EntryId[]> {
  if (gap.at === 'missing') gap.range.state = 'loading';
  log.lateLines ??= [];
  try {
    const pages = await readPages(log, gap, fill, options);
    if (!isStill(log, gap)) return [];
    const lines = [...newLinesOf(log, pages.below), ...newLinesOf(log, pages.above)];
    const left = leftOf(gap, pages, options.plan);
    const ids = put(log, gap, { lines, overlap: pages.isPlain ? new Overlap(log.store) : undefined }, left);
    noteLate(log, { gap, fill, pages, left }, options);
    const at = ids[0] === undefined ? edgeOf(log, gap) : log.store.time(ids[0]);
    for (const page of [pages.below, pages.above]) if (page !== undefined) reportPage(log, page, at);
    takeLate(log);
    return ids;
  } finally {
    log.lateLines = undefined;
    if (gap.at === 'missing') gap.range.state = 'idle';
  }
}

/** The page that ends at the bound of a fill, and the page that starts there. */
interface Pages {
  readonly below: AnsweredPage | undefined;
  readonly above: AnsweredPage | undefined;
  /** Whether they may contain held lines, at the ends of the gap. */
  readonly isPlain: boolean;
}

/** At most this share of a page may be held lines at its end. */
const HELD_SHARE = 2;

async function readPages(log: HeldLog, gap: Gap, fill: Fill, options: LoaderOptions): Promise<Pages> {
  const { plan } = options;
  const { upTo, startingAt } = fill;
  const [lower, upper] = boundsOf(gap, plan);
  const held = plan.to === undefined ? heldAfter(log, gap, fill) : undefined;
  const isEnough = mayLeaveOut(log, gap, fill, plan)
    ? (silent: readonly string[]) => hasOthers(log, silent)
    : () => false;
  const [below, above] = await Promise.all([
    upTo &&
      read(log, options, isEnough, {
        kind: 'tail',
        count: upTo.count,
        from: lower,
        to: upTo.bound ?? upper,
        held,
      }),
    startingAt &&
      read(log, options, isEnough, {
        kind: 'head',
        count: startingAt.count,
        from: startingAt.bound ?? lower,
        to: upper,
      }),
  ]);
  const pages = { below: withAway(log, below), above: withAway(log, above) };
  const isPartial = [pages.below, pages.above].some((page) => page !== undefined && page.late.length > 0);
  return { ...pages, isPlain: isPartial && [lower, upper].some(isCounted) };
}

/**
 * Counts containers that do not answer the stream either among those to read later: the log goes on before the lines
 * of the page.
 */
function withAway(log: HeldLog, page: AnsweredPage | undefined): AnsweredPage | undefined {
  if (page === undefined || log.away.size === 0) return page;
  const away = [...failedIn(page)].filter((id) => log.away.has(id) && !page.late.includes(id));
  return away.length === 0 ? page : { ...page, late: [...page.late, ...away] };
}

/**
 * Whether the pages of a gap can leave containers out. A cursor that counts the records of all containers at one time
 * means nothing without some of them: that time is read again as a whole, if not too many of its lines are held.
 */
function mayLeaveOut(log: HeldLog, gap: Gap, { upTo, startingAt }: Fill, plan: ViewPlan): boolean {
  const most = Math.min(...[upTo, startingAt].flatMap((page) => page?.count ?? [])) / HELD_SHARE;
  return boundsOf(gap, plan).every(
    (end) =>
      !isCounted(end) || (end !== plan.from && end !== plan.to && countHeldAt(log, timeOfBound(end)) < most),
  );
}

function countHeldAt({ store }: HeldLog, at: Timestamp): number {
  let lines = 0;
  for (const id of store.order.from(store.positionOf(at))) {
    if (store.table.seconds(id) !== at.seconds || store.table.nanos(id) !== at.nanos) break;
    if (store.table.kind(id) === KIND.line) lines++;
  }
  return lines;
}

/** Whether the view has other containers than these. */
function hasOthers({ store }: HeldLog, ids: readonly string[]): boolean {
  const left = new Set(ids);
  return store.sources.all.some(
    ({ wire, owner, isLeftOut }) => !owner.isGone && !isLeftOut && !left.has(wire.id),
  );
}

/** Notes which containers the pages lack, and between which bounds. */
function noteLate(
  log: HeldLog,
  {
    gap,
    fill,
    pages,
    left,
  }: { readonly gap: Gap; readonly fill: Fill; readonly pages: Pages; readonly left: Left },
  { plan, clock }: LoaderOptions,
): void {
  const [lower, upper] = boundsOf(gap, plan);
  const sinceMs = clock.now() - PAGE_PATIENCE_MS;
  const note = (page: AnsweredPage | undefined, range: LateRange) => {
    for (const id of page?.late ?? []) log.late.add(id, range, log.unanswered.get(id) ?? sinceMs);
  };
  note(pages.below, { from: left.below ?? lower, to: fill.upTo?.bound ?? upper });
  note(pages.above, { from: fill.startingAt?.bound ?? lower, to: left.above ?? upper });
}

/** Where a gap begins and ends; undefined: open. */
function boundsOf(gap: Gap, plan: ViewPlan): readonly [WireBound | undefined, WireBound | undefined] {
  switch (gap.at) {
    case 'older':
      return [plan.from, gap.bound];
    case 'newer':
      return [gap.bound, plan.to];
    case 'missing':
      return [gap.range.from, gap.range.to];
  }
}

/** The rest of a gap before and after the new lines. */
interface Left {
  readonly below: WireBound | undefined;
  readonly above: WireBound | undefined;
}

function leftOf(gap: Gap, { below, above }: Pages, plan: ViewPlan): Left {
  // Records before the lower bound of a window do not belong to this gap.
  const isOpen = gap.at === 'older' && plan.from === undefined;
  return {
    below: isOpen || below?.end.cut === true ? cursor(below?.end.prev) : undefined,
    above: above?.end.cut === true ? cursor(above.end.next) : undefined,
  };
}

interface Taken {
  readonly lines: readonly NewLine[];
  /** Knows the held lines, if some of these may be held. */
  readonly overlap: Overlap | undefined;
}

function put(log: HeldLog, gap: Gap, taken: Taken, left: Left): readonly EntryId[] {
  switch (gap.at) {
    case 'older':
      return putOlder(log, gap.bound, taken, left);
    case 'newer':
      return putNewer(log, gap.bound, taken, left);
    case 'missing':
      return putMissing(log, gap, taken, left);
  }
}

function putOlder(log: HeldLog, bound: WireBound, { lines, overlap }: Taken, left: Left): readonly EntryId[] {
  const { store, edges } = log;
  const before = store.order.first;
  const ids = log.putPage(lines, { before }, overlap);
  edges.older = left.below ?? 'beginning';
  if (left.above !== undefined) store.addMissing(rangeOf(left.above, bound), before);
  return ids;
}

function putNewer(log: HeldLog, bound: WireBound, taken: Taken, left: Left): readonly EntryId[] {
  const { store, edges } = log;
  const after = store.order.last;
  // Held lines may have the same time as a plain bound.
  const overlap = taken.overlap ?? (bound.kind === 'inclusive' ? new Overlap(store) : undefined);
  const ids = log.putPage(taken.lines, { after }, overlap);
  if (left.below !== undefined) store.addMissing(rangeOf(bound, left.below), ids[0]);
  edges.newer = left.above ?? 'now';
  return ids;
}

function putMissing(
  log: HeldLog,
  gap: Extract<Gap, { readonly at: 'missing' }>,
  { lines, overlap }: Taken,
  left: Left,
): readonly EntryId[] {
  const { store } = log;
  const at = store.locate(gap.entry);
  const after = store.order.before(at);
  store.removeOne(gap.entry);
  const before = store.order.at(at);
  const ids = log.putPage(lines, { after, before }, overlap);
  // A reader at the gap continues after the new lines.
  if (log.reader === gap.entry) log.reader = before ?? ids.at(-1);
  const rest = gap.range.lines === undefined ? undefined : Math.max(1, gap.range.lines - ids.length);
  const isOne = left.below === undefined || left.above === undefined;
  const known = isOne ? rest : undefined;
  if (left.below !== undefined)
    store.addMissing(rangeOf(gap.range.from, left.below, known), ids[0] ?? before);
  if (left.above !== undefined) store.addMissing(rangeOf(left.above, gap.range.to, known), before);
  return ids;
}

/** The time of the edge of a gap that turned out to have no lines. */
function edgeOf({ store }: HeldLog, gap: Gap): Timestamp | undefined {
  if (gap.at === 'missing') return timeOfBound(gap.range.to);
  const entry = gap.at === 'older' ? store.order.first : store.order.last;
  return entry === undefined ? undefined : store.time(entry);
}

/** Takes the lines that arrived for the gap during the read, whether or not the page has them. */
function takeLate(log: HeldLog): void {
  const late = log.lateLines ?? [];
  log.lateLines = undefined;
  if (late.length === 0) return;
  const overlap = new Overlap(log.store);
  for (const line of late) log.arriveLate(line, overlap);
}

function rangeOf(from: WireBound, to: WireBound, lines?: number): MissingRange {
  return { from, to, lines, state: 'idle' };
}

function cursor(at: string | undefined): WireBound | undefined {
  return at === undefined ? undefined : { kind: 'cursor', at };
}

/** If the view reaches the present, exactly the held lines follow an older page: they show where that page ends. */
function heldAfter({ store, edges }: HeldLog, gap: Gap, { upTo }: Fill): LogQuery['held'] {
  const isNext = gap.at === 'older' && upTo?.bound === undefined;
  if (!isNext || edges.newer !== 'now' || store.missing.size > 0) return undefined;
  const held = store.sources.all.map((source) => ({ order: source.wire.order, lines: linesOf(source) }));
  return fitting(held.filter(({ lines }) => lines > 0));
}

function isStill(log: HeldLog, gap: Gap): boolean {
  if (gap.at === 'missing') return log.store.missing.get(gap.entry) === gap.range;
  return log.edges[gap.at] === gap.bound;
}

function newLinesOf(log: HeldLog, page: AnsweredPage | undefined): NewLine[] {
  if (page === undefined) return [];
  const sources: (number | undefined)[] = [];
  for (const source of page.sources) sources[source.index] = log.store.sources.takeRead(source, false);
  const lines: NewLine[] = [];
  for (const record of page.records) {
    const line = lineOf(record, sources);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

interface PageRange extends Pick<LogQuery, 'from' | 'to' | 'held'> {
  readonly kind: 'head' | 'tail';
  readonly count: number;
}

function read(
  log: HeldLog,
  { api, plan, signal, clock, nextQuery }: LoaderOptions,
  isEnough: (silent: readonly string[]) => boolean,
  { kind, count, from, to, held }: PageRange,
): Promise<AnsweredPage> {
  const queryOf = (without: readonly string[]): LogQuery => {
    const isPartial = without.length > 0;
    return {
      id: nextQuery(),
      ...viewQuery(plan),
      selection: { kind, count },
      from: isPartial && isCounted(from) ? plainFrom(from) : from,
      to: isPartial && isCounted(to) ? plainTo(to) : to,
      held,
    };
  };
  const silent = [...new Set([...log.silent, ...log.away])];
  return readAnswered(api, plan.context, queryOf, { signal, clock, silent, isEnough });
}
