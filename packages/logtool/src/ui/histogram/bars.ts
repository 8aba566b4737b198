import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { wallTime, type ZoneClock } from '../console/state/zone-time.ts';
import { rangeText, withoutText } from '../messages/coverage.ts';
import type { Histogram } from '../worker/protocol/protocol.ts';

/** The rectangle of one level in one bucket, in px from the left and the top. */
export interface Bar {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly kind: 'error' | 'warning' | 'other';
}

/** A few errors stay visible among thousands of lines. */
const MIN_PX = 2;
const GAP_PX = 2;
const MIN_GAP_PX = 4;

/** Returns bars from bottom to top: other lines, warnings, errors. */
export function barsOf(histogram: Histogram, widthPx: number, heightPx: number): readonly Bar[] {
  const { errors, warnings, others } = histogram;
  const count = others.length;
  if (count === 0 || widthPx <= 0) return [];
  const stepPx = widthPx / count;
  const most = Math.max(1, ...others.map((_, index) => totalOf(histogram, index)));
  const bars: Bar[] = [];
  for (let index = 0; index < count; index++) {
    const xPx = Math.round(index * stepPx);
    const barPx = Math.max(1, Math.round((index + 1) * stepPx) - xPx - (stepPx > GAP_PX + 1 ? GAP_PX : 0));
    const scaled = (lines: number, roomPx: number) =>
      lines === 0 ? 0 : Math.min(roomPx, Math.max(MIN_PX, Math.round((lines / most) * heightPx)));
    // Errors get space first, then warnings.
    const errorPx = scaled(errors[index] ?? 0, heightPx);
    const warningPx = scaled(warnings[index] ?? 0, heightPx - errorPx);
    const otherPx = scaled(others[index] ?? 0, heightPx - errorPx - warningPx);
    let bottomPx = heightPx;
    const add = (spanPx: number, kind: Bar['kind']) => {
      bottomPx -= spanPx;
      if (spanPx > 0) bars.push({ xPx, yPx: bottomPx, widthPx: barPx, heightPx: spanPx, kind });
    };
    add(otherPx, 'other');
    add(warningPx, 'warning');
    add(errorPx, 'error');
  }
  return bars;
}

/** A range of buckets that were not fully read, px from the left. */
export interface UnreadStretch {
  readonly xPx: number;
  readonly widthPx: number;
}

/** Returns the ranges that were not fully read, from left to right. */
export function unreadOf({ unread = [] }: Histogram, widthPx: number): readonly UnreadStretch[] {
  const stepPx = widthPx / Math.max(1, unread.length);
  const stretches: UnreadStretch[] = [];
  for (let first = unread.indexOf(true); first !== -1; first = unread.indexOf(true, first)) {
    const next = unread.indexOf(false, first);
    const end = next === -1 ? unread.length : next;
    stretches.push({ xPx: Math.round(first * stepPx), widthPx: Math.round((end - first) * stepPx) });
    first = end;
  }
  return stretches;
}

/** A range in which lines may be missing, px from the left. */
export interface GapStretch extends UnreadStretch {
  /** Maybe nothing is missing: the container may have been silent. */
  readonly isUnproven: boolean;
}

/** Returns where lines may be missing, from left to right; even a short gap stays visible. */
export function gapMarksOf({ gaps = [], others }: Histogram, widthPx: number): readonly GapStretch[] {
  const stepPx = widthPx / Math.max(1, others.length);
  return gaps.map(({ first, last, isUnproven = false }) => {
    const xPx = Math.round(first * stepPx);
    return { xPx, widthPx: Math.max(MIN_GAP_PX, Math.round((last + 1) * stepPx) - xPx), isUnproven };
  });
}

/** Returns the number of lines in a bucket, at any level. */
export function totalOf({ errors, warnings, others }: Histogram, index: number): number {
  return (errors[index] ?? 0) + (warnings[index] ?? 0) + (others[index] ?? 0);
}

/** Formats the length of a bucket: `12 s`, `5 min`, `1 h`. */
export function bucketText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${seconds / 60} min`;
  return seconds < 86_400 ? `${seconds / 3_600} h` : `${seconds / 86_400} d`;
}

/** A range of buckets, both ends inclusive. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Orders two buckets, and limits them to the histogram. */
export function stretchOf(a: number, b: number, count: number): Stretch {
  const clamp = (index: number) => Math.min(Math.max(index, 0), Math.max(0, count - 1));
  return { first: clamp(Math.min(a, b)), last: clamp(Math.max(a, b)) };
}

/** Returns the first moment of a stretch and the last nanosecond of its last bucket. */
export function stretchTimes({ fromSeconds, bucketSeconds }: Histogram, { first, last }: Stretch) {
  return {
    from: { seconds: fromSeconds + first * bucketSeconds, nanos: 0 },
    to: { seconds: fromSeconds + (last + 1) * bucketSeconds - 1, nanos: 999_999_999 },
  };
}

/** Names what a chart leaves out as a whole: `, without 1 container`; empty: nothing. */
export function leftOutText({ without }: Histogram): string {
  return without === undefined ? '' : withoutText(without.containers, without.sources);
}

/**
 * Describes a stretch: `13:36:00 to 13:36:11: 120 lines, 3 errors, 4 warnings`. `nowMs`: ms since the epoch; times of
 * other days carry their dates.
 */
export function stretchText(histogram: Histogram, stretch: Stretch, clock: ZoneClock, nowMs: number): string {
  const { from, to } = stretchTimes(histogram, stretch);
  let [lines, errors, warnings] = [0, 0, 0];
  for (let index = stretch.first; index <= stretch.last; index++) {
    lines += totalOf(histogram, index);
    errors += histogram.errors[index] ?? 0;
    warnings += histogram.warnings[index] ?? 0;
  }
  const count = (number: number, noun: string) =>
    `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  const isPartial = histogram.unread?.slice(stretch.first, stretch.last + 1).includes(true) === true;
  const gaps = (histogram.gaps ?? []).filter(
    ({ first, last }) => first <= stretch.last && last >= stretch.first,
  );
  const proven = gaps.filter(({ isUnproven }) => isUnproven !== true).length;
  const gapText =
    (proven === 0 ? '' : `; lines may be missing in ${count(proven, 'gap')}`) +
    (proven === gaps.length ? '' : '; earlier lines may be gone');
  const events = (histogram.facts ?? []).reduce(
    (sum, { bucket, count: facts }) =>
      bucket >= stretch.first && bucket <= stretch.last ? sum + facts : sum,
    0,
  );
  const eventText = events === 0 ? '' : `; ${count(events, 'event')} of the cluster`;
  const [fromMs, toMs] = [timestampToMs(from), timestampToMs(to)];
  return `${rangeText(fromMs, toMs, clock, nowMs)}${leftOutText(histogram)}: ${isPartial ? 'not all read; at least ' : ''}${count(lines, 'line')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}${eventText}${gapText}`;
}

/** A time below the bars. `share`: distance from the left, 0 to 1. */
export interface AxisTick {
  readonly share: number;
  readonly text: string;
}

/** Tick steps that are easy to read, in seconds. */
const TICK_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
] as const;
const DAY_SECONDS = 86_400;
const TICK_PX = 90;

/** Returns round clock times below the bars, as many as fit. */
export function axisTicks(histogram: Histogram, widthPx: number, clock: ZoneClock): readonly AxisTick[] {
  const { fromSeconds, bucketSeconds, others } = histogram;
  const spanSeconds = others.length * bucketSeconds;
  if (spanSeconds === 0 || widthPx <= 0) return [];
  const most = Math.max(1, Math.floor(widthPx / TICK_PX));
  const step =
    TICK_STEPS.find((each) => spanSeconds / each <= most) ??
    Math.ceil(spanSeconds / most / DAY_SECONDS) * DAY_SECONDS;
  // Round in the clock's zone: a multiple of a day in UTC is not midnight there.
  const offset = clock.offsetSeconds(fromSeconds);
  const first = Math.ceil((fromSeconds + offset) / step) * step - offset;
  const ticks: AxisTick[] = [];
  for (let seconds = first; seconds < fromSeconds + spanSeconds; seconds += step) {
    const { date, time } = wallTime(clock, { seconds, nanos: 0 });
    const text = step >= DAY_SECONDS ? date : step % 60 === 0 ? time.slice(0, 5) : time.slice(0, 8);
    ticks.push({ share: (seconds - fromSeconds) / spanSeconds, text });
  }
  return ticks;
}
