import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { MissingRecords } from '../session/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { CountedView } from './counted-view.ts';
import type { KnownGap } from './known-gap.ts';

/** The known gaps, each once, of the containers that the facets accept: of held rows, and those that a scan found. */
export function knownGaps({ store, lost }: HeldLog, counted: CountedView | undefined): readonly KnownGap[] {
  const gaps: KnownGap[] = [];
  for (const [entry, { span, source }] of store.markers) {
    if (span === undefined) continue;
    const isUndated = span.from === undefined && span.to === undefined;
    const id = source === undefined ? undefined : store.sources.get(source).wire.id;
    gaps.push({
      id,
      isLost: false,
      isUnproven: false,
      ...(isUndated ? { from: store.time(entry), to: undefined } : span),
    });
  }
  gaps.push(...lost.values(), ...(counted?.scan.counts.gaps ?? []));
  const byText = new Map(gaps.map((gap) => [keyOf(gap), gap]));
  return [...byText.values()].filter(
    ({ id }) => id === undefined || counted === undefined || counted.isWanted(id),
  );
}

/** The end of a range as a scan and a window have it differs by a nanosecond. */
function keyOf({ id, from, to }: KnownGap): string {
  return JSON.stringify([id, from && Math.round(timestampToMs(from)), to && Math.round(timestampToMs(to))]);
}

/** Returns what is missing from the counts of a view although everything that exists was read; undefined: nothing. */
export function missingRecords(log: HeldLog, counted: CountedView, toMs: number): MissingRecords | undefined {
  const { range } = counted.scan;
  const begin = range.from === undefined ? Number.NEGATIVE_INFINITY : timestampToMs(range.from);
  const end = Math.min(toMs, range.to === undefined ? Number.POSITIVE_INFINITY : timestampToMs(range.to));
  const spans = knownGaps(log, counted)
    .map(spanOf)
    .filter(({ fromMs, toMs: gapEnd }) => gapEnd >= begin && fromMs < end);
  const lost = spans.filter(({ isLost: isBefore }) => isBefore);
  const gaps = spans.filter(({ isLost: isBefore }) => !isBefore);
  const gone = goneContainers(log, counted, begin);
  if (spans.length === 0 && gone === 0) return undefined;
  return {
    lost: new Set(lost.map(({ id }) => id)).size,
    lostToMs: Math.max(...lost.map(({ toMs: gapEnd }) => gapEnd)),
    gaps: gaps.length,
    gapFromMs: Math.min(...gaps.map(({ fromMs }) => fromMs)),
    gapToMs: Math.max(...gaps.map(({ toMs: gapEnd }) => gapEnd)),
    gone,
  };
}

interface GapSpan {
  readonly id: string | undefined;
  readonly isLost: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A gap with only one known end is where that end is; what is lost reaches back to the beginning. */
function spanOf({ id, isLost: isBefore, from, to }: KnownGap): GapSpan {
  const [fromMs, toMs] = [from && timestampToMs(from), to && timestampToMs(to)];
  const start = isBefore ? (fromMs ?? Number.NEGATIVE_INFINITY) : (fromMs ?? toMs ?? 0);
  return { id, isLost: isBefore, fromMs: start, toMs: toMs ?? start };
}

/**
 * Counts containers that no longer exist, of which the tab had lines of the range, and that the scan did not read: only
 * lines that the tab holds are counted.
 */
function goneContainers({ store, edges, newestOf }: HeldLog, counted: CountedView, beginMs: number): number {
  if (edges.older === 'beginning' && store.missing.size === 0) return 0;
  const ids = new Set<string>();
  for (const { wire, owner, isLeftOut } of store.sources.all) {
    if (!owner.isGone || isLeftOut || counted.scan.counts.sources.has(wire.id)) continue;
    const newest = newestOf(wire.id);
    if (newest !== undefined && timestampToMs(newest) >= beginMs && counted.isWanted(wire.id))
      ids.add(wire.id);
  }
  return ids.size;
}
