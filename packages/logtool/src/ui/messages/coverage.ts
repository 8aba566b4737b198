import type { ZoneClock } from '../console/state/zone-time.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import type { BufferStatus, MissingRecords, ScanStatus } from '../worker/protocol/protocol.ts';
import { countText } from './count.ts';
import { datedTimeText, dateText } from './dated-time.ts';

/** Describes a running count. `progress`: the approximate fraction read, from 0 to 1; undefined: unknown. */
export function countingText(progress: number | undefined): string {
  return progress === undefined ? 'Counting…' : `Counting… about ${Math.floor(progress * 100)} %`;
}

/** Titles the fields that a sample of the lines has: their counts are counts of the sample. */
export function sampledFieldsText(lines: number): string {
  return `Fields in a sample of ${countText(lines, 'line')}`;
}

/** Whether a scan has read its whole range, so that its counts are exact. */
export function isExact({ state, incomplete, failedSources, readToMs }: ScanStatus): boolean {
  const isWhole = incomplete === 0 && failedSources === 0;
  return state === 'done' && isWhole && readToMs === Number.POSITIVE_INFINITY;
}

/**
 * Describes what a count covers: `in 12:15:00 to 13:08:00`, or the part that was read. `nowMs`: ms since the epoch;
 * times of other days carry their dates.
 */
export function scopeText(scan: ScanStatus, clock: ZoneClock, nowMs: number): string {
  return [readText(scan, clock, nowMs), ...missingTexts(scan, clock, nowMs)].join(', ');
}

/** Describes what a count lacks although everything that exists was read. */
export function missingTexts({ missing }: ScanStatus, clock: ZoneClock, nowMs: number): readonly string[] {
  if (missing === undefined) return [];
  const { lost, gaps, gapFromMs, gapToMs, gone, goneRuns, goneRunsToMs } = missing;
  const texts: string[] = [];
  const gapRange = rangeText(finite(gapFromMs), finite(gapToMs), clock, nowMs);
  if (gaps === 1) texts.push(`without the gap ${gapRange}`);
  else if (gaps > 1) texts.push(`without ${countText(gaps, 'gap')} in ${gapRange}`);
  if (gone > 0) texts.push(ofGoneText(gone));
  if (goneRuns > 0) {
    const today = dateText(clock, nowMs);
    const end = goneRunsToMs === undefined ? undefined : datedTimeText(clock, goneRunsToMs, today);
    texts.push(goneRunsText(goneRuns, end));
  }
  if (lost > 0) texts.push(lostText(missing, clock, nowMs));
  return texts;
}

/** Returns what a count has of containers that no longer exist. */
function ofGoneText(containers: number): string {
  return `only loaded lines of ${countText(containers, 'container')} that no longer exist${containers === 1 ? 's' : ''}`;
}

/** Returns `1 earlier run is gone: Kubernetes keeps one`; `end`: a time by which they had ended. */
export function goneRunsText(count: number, end?: string): string {
  const runs = countText(count, 'earlier run');
  const before = end === undefined ? '' : ` before ${end}`;
  return `${runs}${before} ${count === 1 ? 'is' : 'are'} gone: Kubernetes keeps one`;
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

/** Describes from when on the nodes have logs: the time, two times, or the first and the last of more. */
function lostText({ lost, lostFromMs, lostToMs }: MissingRecords, clock: ZoneClock, nowMs: number): string {
  const timeOf = (ms: number) => datedTimeText(clock, ms, dateText(clock, nowMs));
  const [first, last] = [timeOf(lostFromMs), timeOf(lostToMs)];
  const what = lost === 1 ? 'the log of 1 container' : `the logs of ${countText(lost, 'container')}`;
  const both = lost === 2 ? `${first} and ${last}` : `times between ${first} and ${last}`;
  const from = first === last ? last : both;
  return `${what} only from ${from} on: the node may have removed earlier lines`;
}

/** Describes the range of a count, or the part of it that was read. */
function readText(scan: ScanStatus, clock: ZoneClock, nowMs: number): string {
  const range = rangeText(scan.fromMs, scan.toMs, clock, nowMs);
  if (isExact(scan)) return `in ${range}`;
  const { readToMs, incomplete, failedSources, loadedLines } = scan;
  if (loadedLines !== undefined) return `${loadedText(loadedLines)} of ${range}`;
  const isWhole = readToMs === Number.POSITIVE_INFINITY;
  if (isWhole && incomplete + failedSources > 0)
    return `in ${range}${withoutText(incomplete, failedSources)}`;
  const read =
    readToMs === undefined || isWhole
      ? 'the part that logtool read'
      : rangeText(scan.fromMs, readToMs, clock, nowMs);
  return `in ${read} of ${range}${withoutText(0, failedSources)}`;
}

/** Returns `, without 2 containers and 1 source`; empty if all were read. */
export function withoutText(containers: number, sources: number): string {
  const texts: string[] = [];
  if (containers > 0) texts.push(countText(containers, 'container'));
  if (sources > 0) texts.push(countText(sources, 'source'));
  return texts.length === 0 ? '' : `, without ${texts.join(' and ')}`;
}

/**
 * Returns `12:15:00 to 13:08:00`; `all logs` if both ends are open. A time of another day than today carries its date,
 * and so does an end on another day than its start. `nowMs`: ms since the epoch.
 */
export function rangeText(
  fromMs: number | undefined,
  toMs: number | undefined,
  clock: ZoneClock,
  nowMs: number,
): string {
  const today = dateText(clock, nowMs);
  if (fromMs === undefined)
    return toMs === undefined ? 'all logs' : `the beginning to ${datedTimeText(clock, toMs, today)}`;
  const from = datedTimeText(clock, fromMs, today);
  return toMs === undefined
    ? `${from} to now`
    : `${from} to ${datedTimeText(clock, toMs, dateText(clock, fromMs))}`;
}

/** Continues the range of a count of shown lines, while those that arrived since the pause are hidden. */
export function withoutWaitingText(lines: number): string {
  return `, without ${countText(lines, 'waiting line')}`;
}

/** Describes the range of a count if there is no scan. */
export function loadedText(lines: number): string {
  return `in the ${countText(lines, 'loaded line')}`;
}

type Lacks = Pick<
  BufferStatus,
  'hasGaps' | 'goneRuns' | 'lostBeginnings' | 'emptyOnNodes' | 'goneContainers'
>;

/** Describes what a count covers if every line that can be read is loaded: `in all logs`. */
export function wholeText(url: Pick<ConsoleUrl, 'last' | 'from' | 'to'>, status: Lacks): string {
  return readableText(url, status) ?? (isRange(url) ? 'in the range' : 'in all logs');
}

/**
 * Describes what a count covers if every line that can be read is loaded, and others are known to be missing; undefined:
 * none are.
 */
export function readableText(
  url: Pick<ConsoleUrl, 'last' | 'from' | 'to'>,
  { hasGaps, goneRuns, lostBeginnings, emptyOnNodes, goneContainers }: Lacks,
): string | undefined {
  if (!hasGaps && goneRuns + lostBeginnings + emptyOnNodes.length + goneContainers === 0) return undefined;
  const text = `in the readable part of ${isRange(url) ? 'the range' : 'the logs'}`;
  return goneContainers === 0 ? text : `${text}, ${ofGoneText(goneContainers)}`;
}

function isRange({ last, from, to }: Pick<ConsoleUrl, 'last' | 'from' | 'to'>): boolean {
  return (last ?? from ?? to) !== undefined;
}

/**
 * Text of a chart without bars, which updates slightly later than the lines. `isWhole`: every container was
 * read.
 */
export function emptyChartText({ lines, loading, scan }: BufferStatus, isWhole: boolean): string {
  const isPending = lines > 0 || (scan?.lines ?? 0) > 0 || scan?.state === 'reading' || loading !== 'none';
  if (isPending) return 'Reading…';
  return isWhole && (scan === undefined || isExact(scan))
    ? 'No lines'
    : 'No lines in the part that logtool read';
}

/** The rate of new lines; undefined: it is not known, because lines of some container cannot arrive. */
export function rateText({
  connection,
  awayContainers,
  unanswered,
  receivedPerSecond,
}: Pick<BufferStatus, 'connection' | 'awayContainers' | 'unanswered' | 'receivedPerSecond'>):
  | string
  | undefined {
  if (connection.state !== 'live' || awayContainers > 0 || unanswered !== undefined) return undefined;
  return `${Math.round(receivedPerSecond).toLocaleString('en')}/s now`;
}

/** Names the action for what was not read; undefined: all was read. */
export function restText(scan: ScanStatus): string | undefined {
  return REST_TEXTS[restOf(scan)]?.search;
}

/** The same action, named for a chart. */
export function countRestText(scan: ScanStatus): string | undefined {
  return REST_TEXTS[restOf(scan)]?.count;
}

const REST_TEXTS = {
  none: undefined,
  failed: { search: 'Try again', count: 'Try again' },
  others: { search: 'Read the others again', count: 'Read the others again' },
  rest: { search: 'Search the rest', count: 'Count the rest' },
} as const;

function restOf(scan: ScanStatus): keyof typeof REST_TEXTS {
  if (scan.state === 'failed') return 'failed';
  if (scan.state === 'reading' || isExact(scan)) return 'none';
  if (scan.state !== 'done' || scan.incomplete + scan.failedSources === 0) return 'rest';
  return scan.isRefused === true ? 'none' : 'others';
}

/** Explains the time at which errors increase. `width`: length of the buckets that count errors, `5 s`. */
export function errorsBeginTitle(width: string): string {
  return `The first error of the ${width} in which errors begin to come at least twice as often as before, more than chance explains`;
}
