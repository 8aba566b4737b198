import { type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import { compareStarts } from '../../../domain/coverage/interval.ts';
import type { MissingRecords } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { CountedView } from './counted-view.ts';
import { rowGaps } from './row-gaps.ts';

/** The known gaps, each once, of the containers that the facets accept: of held rows, and those that a scan found. */
function knownGaps(
  log: HeldLog,
  counted: CountedView | undefined,
  losses: Iterable<KnownGap> = log.lost.values(),
): readonly KnownGap[] {
  // A gap that held rows fill is counted with them, and is none.
  counted?.scan.updateLater(log);
  const gaps = [...rowGaps(log.store), ...losses, ...(counted?.scan.gaps ?? [])];
  const byText = new Map(gaps.map((gap) => [keyOf(gap), gap]));
  return [...byText.values()].filter(
    ({ id }) => id === undefined || counted === undefined || counted.isWanted(id),
  );
}

/** The known gaps, and the times of containers that no longer exist whose lines are not held. */
export function allGaps(log: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  return [...knownGaps(log, counted), ...goneGaps(log, counted)];
}

/**
 * The gaps that lines are missing of in the counts of a view. A loss is none of them if lines of its time were counted: the
 * node lost them later.
 */
export function uncountedGaps(log: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  return [...gapsOfCounts(log, counted), ...goneGaps(log, counted)];
}

function gapsOfCounts(log: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  if (counted === undefined || log.lost.size === 0) return knownGaps(log, counted);
  const { scan } = counted;
  scan.updateLater(log);
  const widthMs = scan.counts.bucketMs ?? 1_000;
  const times = new Map<string, number[]>();
  const note = (id: string, { fromMs }: { readonly fromMs: number }) => {
    const own = times.get(id) ?? [];
    times.set(id, own);
    own.push(fromMs);
  };
  scan.counts.each(note);
  scan.later.each(note);
  const isCounted = (loss: KnownGap) => {
    const { fromMs, toMs } = spanOf(loss);
    const own = loss.id === undefined ? [] : (times.get(loss.id) ?? []);
    return loss.goneRuns === undefined && own.some((ms) => ms > fromMs && ms + widthMs <= toMs);
  };
  const losses = [...log.lossReports.values()].flat().filter((loss) => !isCounted(loss));
  return knownGaps(log, counted, losses);
}

/** Whether there is any such gap, of any container; finds none of their times, because each change of a view asks. */
export function hasGaps(log: HeldLog, counted: CountedView | undefined): boolean {
  const ofAll = counted && { ...counted, isWanted: () => true };
  return (
    log.lost.size > 0 ||
    (counted?.scan.gaps.length ?? 0) > 0 ||
    uncountedContainers(log, ofAll).length > 0 ||
    [...log.store.markers.values()].some(({ span }) => span !== undefined)
  );
}

/** The end of a range as a scan and a window have it differs by a nanosecond. */
function keyOf({ id, goneRuns, from, to }: KnownGap): string {
  return JSON.stringify([
    id,
    goneRuns,
    from && Math.round(timestampToMs(from)),
    to && Math.round(timestampToMs(to)),
  ]);
}

/** Returns what is missing from the counts of a view although everything that exists was read; undefined: nothing. */
export function missingRecords(log: HeldLog, counted: CountedView, toMs: number): MissingRecords | undefined {
  const { range } = counted.scan;
  const begin = range.from === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(range.from);
  const end = Math.min(toMs, range.to === undefined ? Number.POSITIVE_INFINITY : timestampToMs(range.to));
  const spans = gapsOfCounts(log, counted)
    .map(spanOf)
    .filter(({ fromMs, toMs: gapEnd }) => gapEnd >= begin && fromMs < end);
  const lost = spans.filter(({ isLost: isBefore, goneRuns }) => isBefore && goneRuns === undefined);
  const gaps = spans.filter(({ isLost: isBefore }) => !isBefore);
  const begins = new Map<string | undefined, number>();
  for (const { id, beginMs } of lost) begins.set(id, Math.max(beginMs, begins.get(id) ?? beginMs));
  const gone = goneContainers(log, counted, begin);
  if (spans.length === 0 && gone === 0) return undefined;
  return {
    lost: begins.size,
    lostFromMs: Math.min(...begins.values()),
    lostToMs: Math.max(...begins.values()),
    gaps: gaps.length,
    gapFromMs: Math.min(...gaps.map(({ fromMs }) => fromMs)),
    gapToMs: Math.max(...gaps.map(({ toMs: gapEnd }) => gapEnd)),
    gone,
    ...goneRunsOf(spans, end),
  };
}

/** Counts each container's gone runs once: a scan and a window both report them. */
function goneRunsOf(
  spans: readonly GapSpan[],
  endMs: number,
): Pick<MissingRecords, 'goneRuns' | 'goneRunsToMs'> {
  const ofContainers = spans.filter(({ goneRuns }) => goneRuns !== undefined);
  const byContainer = new Map(ofContainers.map(({ id, goneRuns = 0 }) => [id, goneRuns]));
  const toMs = Math.max(...ofContainers.map(({ toMs: gapEnd }) => gapEnd));
  return {
    goneRuns: [...byContainer.values()].reduce((sum, runs) => sum + runs, 0),
    // The end of the range is not the end of a run.
    goneRunsToMs: Math.round(toMs) < Math.round(endMs) && toMs > 0 ? toMs : undefined,
  };
}

interface GapSpan {
  readonly id: string | undefined;
  readonly isLost: boolean;
  readonly goneRuns: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** Since when the node has lines, of a loss. */
  readonly beginMs: number;
}

function spanOf({ id, isLost: isBefore, goneRuns, from, to, beginsAt }: KnownGap): GapSpan {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : timestampToMs(to);
  const beginMs = beginsAt === undefined ? toMs : timestampToMs(beginsAt);
  return { id, isLost: isBefore, goneRuns, fromMs, toMs, beginMs };
}

/**
 * Counts containers that no longer exist, and that the scan did not read: of their lines in the range, only those that
 * the tab holds are counted.
 */
function goneContainers(log: HeldLog, counted: CountedView, beginMs: number): number {
  const ids = new Set<string>();
  for (const source of uncountedContainers(log, counted)) {
    const newest = log.newestOf(source.wire.id);
    if (newest === undefined || timestampToMs(newest) >= beginMs) ids.add(source.wire.id);
  }
  return ids.size;
}

/**
 * The times of containers that no longer exist of which not all lines are held: before the held ones, or up to the last
 * of them if lines between them are not held either.
 */
export function goneGaps(log: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  const { store, newestOf } = log;
  const ends = new Map<string, Timestamp | undefined>();
  for (const { index, wire } of uncountedContainers(log, counted)) {
    const first = store.missing.size > 0 ? undefined : store.edgeOf(index, 'first');
    const at = first === undefined ? newestOf(wire.id) : store.time(first);
    const known = ends.get(wire.id);
    ends.set(wire.id, known !== undefined && compareStarts(known, at) < 0 ? known : at);
  }
  return [...ends].map(([id, to]) => ({ id, isLost: true, isUnproven: false, from: undefined, to }));
}

/** The runs of containers that no longer exist, whose lines are not all held, and that the scan did not read. */
function uncountedContainers(log: HeldLog, counted: CountedView | undefined): readonly HeldSource[] {
  return log.store.sources.all.filter((source) => {
    const { wire, owner, isLeftOut } = source;
    if (isLeftOut || counted?.isWanted(wire.id) === false) return false;
    if (counted === undefined) return owner.isCut;
    const { counts } = counted.scan;
    if (owner.isCut) return counts.readOf(wire.id)?.isWhole !== true;
    return !counts.sources.has(wire.id) && isGoneFrom(log, counted, source);
  });
}

/**
 * Whether a scan shows that a container is gone, and lines of it are not held. A view that does not follow learns it
 * only then; so does one that waits for an answer of the container.
 */
function isGoneFrom(log: HeldLog, { scan, isLive }: CountedView, { isNew, wire }: HeldSource): boolean {
  if (isNew || (scan.state !== 'done' && scan.state !== 'stopped')) return false;
  return log.hasUnread(wire.id) || (!isLive && !log.isWhole);
}
