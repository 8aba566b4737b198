import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { readOfAll } from '../../../domain/coverage/coverage.ts';
import { covers, difference } from '../../../domain/coverage/interval.ts';
import { BUCKET_WIDTHS_MS } from '../../../domain/coverage/scan.ts';
import { LEVELS } from '../../../domain/filter.ts';
import type { Histogram } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import { eachCount } from './count-range.ts';
import { type CountedView, eachWanted, scopeOf } from './counted-view.ts';
import { heldCoverage } from './held-coverage.ts';
import { makeHistogram } from './histogram.ts';
import { goneGaps } from './known-gaps.ts';

const ERROR = LEVELS.indexOf('error');
const WARN = LEVELS.indexOf('warn');
/** Limits the bars of a range without a chosen end: the logs may span years or contain any time. */
const MAX_BARS = 1_000;

/**
 * Counts the lines of the whole range of a view by time and level, in at most about `wanted` buckets. A range that
 * begins at a time and has no end reaches to now, so that silence is visible and old lines do not look current; so does
 * one without both ends that was not read to its end. `nowMs`: ms since the epoch.
 */
export function rangeHistogram(
  log: HeldLog,
  view: CountedView,
  { wanted, nowMs }: { readonly wanted: number; readonly nowMs: number },
): Histogram {
  const { scan } = view;
  const scope = scopeOf(view);
  const counted: { readonly level: number; readonly atMs: number; readonly lines: number }[] = [];
  eachWanted(log, view, ({ wire }, level, atMs, lines) => {
    if (scope.isCounted(wire.id)) counted.push({ level, atMs, lines });
  });
  const { minMs, maxMs } = spanOf(counted, () => allCounted(log, view));
  const { from, to } = scan.range;
  const readToMs = scope.toMs;
  const fromMs = from === undefined ? minMs : timestampToMs(from);
  const reachesNow = from !== undefined || readToMs !== Number.POSITIVE_INFINITY;
  const heldMs = lastHeldMs(log, view);
  const endMs =
    to === undefined ? Math.max(maxMs + 1, reachesNow ? nowMs : 0, heldMs + 1) : timestampToMs(to);
  const bucketMs = widthFor(endMs - fromMs, scan.counts.bucketMs ?? 1_000, Math.min(MAX_BARS, wanted));
  const startMs = Math.floor(fromMs / bucketMs) * bucketMs;
  const length = Number.isFinite(startMs) ? Math.max(1, Math.ceil((endMs - startMs) / bucketMs)) : 0;
  const histogram = emptyHistogram(startMs, bucketMs, length);
  for (const { level, atMs, lines } of counted) {
    const list = level <= ERROR ? histogram.errors : level === WARN ? histogram.warnings : histogram.others;
    const bucket = Math.floor((atMs - startMs) / bucketMs);
    list[bucket] = (list[bucket] ?? 0) + lines;
  }
  const unread = histogram.others.map((_, bucket) => {
    const bucketEndMs = Math.min(endMs, startMs + (bucket + 1) * bucketMs);
    return readToMs < bucketEndMs;
  });
  return heldMs > 0 ? withHeld(log, { ...histogram, unread }) : { ...histogram, unread };
}

interface Dated {
  readonly atMs: number;
}

interface MinMax {
  readonly minMs: number;
  readonly maxMs: number;
}

/** All that was counted, whatever the filters accept: a chart in which nothing passes them shows a true zero there. */
function allCounted(log: HeldLog, { scan }: CountedView): readonly Dated[] {
  const all: Dated[] = [];
  eachCount(log, scan, false, (_source, _level, atMs) => all.push({ atMs }));
  return all;
}

function spanOf(counted: readonly Dated[], instead: () => readonly Dated[]): MinMax {
  let [minMs, maxMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { atMs } of counted.length > 0 ? counted : instead()) {
    minMs = Math.min(minMs, atMs);
    maxMs = Math.max(maxMs, atMs);
  }
  return { minMs, maxMs };
}

/** The time of the newest line of all logs, ms since the epoch; 0 if it is not held. */
function lastHeldMs({ store }: HeldLog, { scan, isLive }: CountedView): number {
  const last = scan.isUnbounded && isLive ? store.edgeLine('last') : undefined;
  return last === undefined ? 0 : timestampToMs(store.time(last));
}

/** Counts the buckets that the scan has not read, but of which all lines are held. */
function withHeld(log: HeldLog, histogram: Histogram): Histogram {
  const { unread = [], fromSeconds, bucketSeconds } = histogram;
  if (!unread.includes(true)) return histogram;
  const held = makeHistogram(log, MAX_BARS);
  // The bars of the held lines must not lie across those of the range.
  if (held.others.length === 0 || bucketSeconds % held.bucketSeconds !== 0) return histogram;
  // What is held lacks earlier lines of containers that no longer exist, although the scan may have counted them.
  const whole = difference(readOfAll(heldCoverage(log)), goneGaps(log, undefined));
  const isHeld = unread.map((isUnread, bucket) => {
    const from = { seconds: fromSeconds + bucket * bucketSeconds, nanos: 0 };
    const to = { seconds: from.seconds + bucketSeconds, nanos: 0 };
    return isUnread && covers(whole, { from, to });
  });
  const merged = (name: 'errors' | 'warnings' | 'others') => {
    const counts = histogram[name].map((count, bucket) => (isHeld[bucket] === true ? 0 : count));
    for (const [index, count] of held[name].entries()) {
      const bucket = Math.floor(
        (held.fromSeconds + index * held.bucketSeconds - fromSeconds) / bucketSeconds,
      );
      if (isHeld[bucket] === true) counts[bucket] = (counts[bucket] ?? 0) + count;
    }
    return counts;
  };
  return {
    ...histogram,
    errors: merged('errors'),
    warnings: merged('warnings'),
    others: merged('others'),
    unread: unread.map((isUnread, bucket) => isUnread && isHeld[bucket] !== true),
  };
}

function emptyHistogram(startMs: number, bucketMs: number, length: number) {
  const zeros = () => Array.from({ length }, () => 0);
  return {
    fromSeconds: length === 0 ? 0 : startMs / 1000,
    bucketSeconds: bucketMs / 1000,
    errors: zeros(),
    warnings: zeros(),
    others: zeros(),
  };
}

/**
 * Returns the smallest bucket width that is a multiple of the scan's width and needs at most the wanted number of bars.
 */
function widthFor(spanMs: number, minMs: number, wanted: number): number {
  const most = Math.max(1, Math.floor(wanted));
  const fits = (ms: number) => ms >= minMs && ms % minMs === 0 && spanMs / ms <= most;
  return BUCKET_WIDTHS_MS.find(fits) ?? BUCKET_WIDTHS_MS.at(-1)!;
}
