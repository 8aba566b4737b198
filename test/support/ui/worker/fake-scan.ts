import {
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import type { ScanFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import type { ScanQuery } from '@logtool/logtool/src/contract/scan-query.ts';
import { COUNTED_LEVELS } from '@logtool/logtool/src/domain/coverage/scan.ts';
import { LEVELS } from '@logtool/logtool/src/domain/filter.ts';
import { resemblesJson } from '@logtool/logtool/src/domain/json-line.ts';
import { levelIndex } from '@logtool/logtool/src/domain/level.ts';
import { type LineMatcher, matchTerms } from '@logtool/logtool/src/domain/search/line-matcher.ts';
import { LINE_FLAGS } from '@logtool/logtool/src/domain/search/line-search.ts';
import { fieldTerms, parseSearch } from '@logtool/logtool/src/domain/search/search-query.ts';
import { compareTime, type FakeLine, sourceOf } from './fake-line.ts';

interface FakeLimits {
  /** The number of lines to read before the budget is used up. */
  readonly lines: number;
  /** Containers that cannot be read. */
  readonly failing: ReadonlySet<string>;
  /** Containers that do not answer before the time is over. */
  readonly silent: ReadonlySet<string>;
  /** The end of what exists; undefined: the end of any range. */
  readonly now: Timestamp | undefined;
}

/** Scans plain lines in their total order. */
export function fakeScan(
  all: readonly FakeLine[],
  query: ScanQuery,
  { lines: limit, failing, silent, now }: FakeLimits,
): ScanFrame[] {
  const q = query.id;
  const { from, to, positions = [], bucketMs = 1_000 } = query;
  const readTo = now && formatTimestamp(now);
  const isInside = (line: FakeLine) =>
    (from === undefined || compareTime(line, timeOf(from)) >= 0) &&
    (to === undefined || compareTime(line, timeOf(to)) < 0);
  const lines = all.filter(({ container }) => query.sources.includes(container.split('/')[0] ?? ''));
  const containers = [...new Set(lines.map(({ container }) => container))];
  const isAsked = (id: string) => query.without?.includes(id) !== true;
  const isRead = (id: string) => !failing.has(id) && !silent.has(id) && isAsked(id);
  const failed = containers.filter((id) => failing.has(id) && isAsked(id));
  const inside = lines.filter((line) => isInside(line) && isRead(line.container));
  const rest = inside.filter((line) => !isKnown(inside, line, positions));
  const read = rest.slice(0, limit);
  const isStopped = read.length < rest.length;
  const finds = matcherOf(query);
  const hits = read.filter((line) => finds(line.text) && hasLevel(query, line));
  const sources = containers.map((container, index) => sourceOf(container, index, query.sources));
  const frames: ScanFrame[] = [{ type: 'sources', q, sources }];
  const isCut = (id: string) => rest.slice(limit).some((line) => line.container === id);
  for (const container of containers.filter(isRead)) {
    const own = read.filter((line) => line.container === container);
    frames.push(countsOf(q, container, bucketMs, own, finds));
    const last = own.at(-1);
    const known = positions.find(({ id }) => id === container);
    const at = last === undefined ? known?.at : formatTimestamp(last);
    const position =
      at === undefined ? undefined : { at, shown: shownAt(inside, container, timeOf(at), own, known) };
    const end = isCut(container) ? at : (readTo ?? to);
    frames.push({ type: 'coverage', q, id: container, from, to: end, position });
  }
  // The last hits are known once everything was read; no hit is known while a container is unread.
  const isKnownFirst = failed.length === 0 && (query.hits?.order === 'oldest' || !isStopped);
  if (query.hits !== undefined && isKnownFirst)
    frames.push({ type: 'records', q, records: recordsOf(hits, query.hits, containers) });
  const isLate = (id: string) => silent.has(id) && isAsked(id);
  const incomplete = containers.filter((id) => failed.includes(id) || isLate(id) || isCut(id));
  const end = { q, bytes: 100 * read.length, lines: read.length, matches: hits.length, incomplete, failed };
  frames.push(
    { type: 'scanning', q, bytes: end.bytes, containersDone: 0, containers: containers.length },
    { type: 'scanned', ...end, ...stopOf(isStopped, containers.some(isLate)) },
    { type: 'done', q },
  );
  return frames;
}

/** Returns why a scan has not read everything, if so. */
function stopOf(isCut: boolean, hasWaited: boolean): { readonly stopped?: 'bytes' | 'time' } {
  if (isCut) return { stopped: 'bytes' };
  return hasWaited ? { stopped: 'time' } : {};
}

function hasLevel({ levels = [] }: ScanQuery, { text }: FakeLine): boolean {
  return levels.length === 0 || levels.includes(LEVELS[levelOf(text)] as never);
}

function recordsOf(
  hits: readonly FakeLine[],
  { order, count }: NonNullable<ScanQuery['hits']>,
  containers: readonly string[],
): [number, number, number, string, number][] {
  const ordered = order === 'oldest' ? hits : hits.toReversed();
  return ordered
    .slice(0, count)
    .map((line) => [containers.indexOf(line.container), line.seconds, line.nanos, line.text, 1]);
}

function timeOf(text: string): Timestamp {
  return parseTimestamp(text)!;
}

/** Whether an earlier scan has read the line. */
function isKnown(
  inside: readonly FakeLine[],
  line: FakeLine,
  positions: NonNullable<ScanQuery['positions']>,
): boolean {
  const position = positions.find(({ id }) => id === line.container);
  if (position === undefined) return false;
  const order = compareTime(line, timeOf(position.at));
  if (order !== 0) return order < 0;
  const same = inside.filter((other) => other.container === line.container && compareTime(other, line) === 0);
  return same.indexOf(line) < position.shown;
}

function shownAt(
  inside: readonly FakeLine[],
  container: string,
  at: Timestamp,
  own: readonly FakeLine[],
  known: { readonly at: string; readonly shown: number } | undefined,
): number {
  const isSame = (line: FakeLine) => line.container === container && compareTime(line, at) === 0;
  const before = known !== undefined && compareTime(timeOf(known.at), at) === 0 ? known.shown : 0;
  return Math.min(inside.filter(isSame).length, before + own.filter(isSame).length);
}

function countsOf(
  q: number,
  id: string,
  bucketMs: number,
  lines: readonly FakeLine[],
  finds: (text: string) => boolean,
): ScanFrame {
  const buckets = new Map<number, { fromMs: number; lines: number[]; matches: number[] }>();
  for (const line of lines) {
    const fromMs = Math.floor(timestampToMs(line) / bucketMs) * bucketMs;
    const bucket = buckets.get(fromMs) ?? { fromMs, lines: zeros(), matches: zeros() };
    buckets.set(fromMs, bucket);
    const level = levelOf(line.text);
    bucket.lines[level]! += 1;
    if (finds(line.text)) bucket.matches[level]! += 1;
  }
  return { type: 'counts', q, id, bucketMs, buckets: [...buckets.values()] };
}

function zeros(): number[] {
  return COUNTED_LEVELS.map(() => 0);
}

function levelOf(text: string): number {
  return levelIndex(Buffer.from(text));
}

function matcherOf({ search, fields = [] }: ScanQuery): (text: string) => boolean {
  const matchers: LineMatcher[] = [];
  if (search !== undefined) matchers.push(matchTerms(parseSearch(search.text), search));
  matchers.push(matchTerms(fieldTerms(fields), { matchCase: true, wholeWord: false }));
  return (text) => {
    const flags = resemblesJson(Buffer.from(text)) ? LINE_FLAGS.json : 0;
    return matchers.every((matcher) => matcher.matches({ text, level: levelOf(text), flags }));
  };
}
