import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { ContextLines } from '../match/context-lines.ts';
import type { Part } from './tail-part.ts';

/** Matches with the context lines around them, in the total order. `all`: what is known, in that order. */
export function withContext(
  all: readonly LogRecord[],
  matches: readonly LogRecord[],
  filter: FilterPlan,
): readonly LogRecord[] {
  if (filter.beforeContext === 0 && filter.afterContext === 0) return matches;
  const wanted = new Set(matches);
  const lines = linesFor(filter);
  const out: LogRecord[] = [];
  for (const record of all) lines.take(record, wanted.has(record), out);
  return out.sort(compareRecords);
}

/** What is known of a page and around it. */
export interface PageContext {
  /** In the total order; those in front of `floor` are not known of all containers. */
  readonly all: readonly LogRecord[];
  /** Those that match by themselves, also outside the page. */
  readonly matches: ReadonlySet<LogRecord>;
  /** Those of the page. */
  readonly chosen: readonly LogRecord[];
  /** The last match of the page before. */
  readonly before: LogRecord | undefined;
  /** Up to this time nothing was searched. */
  readonly floor: Timestamp | undefined;
  /** Lines that follow matches in front of all that is known, or in front of what was searched, by container. */
  readonly following: ReadonlyMap<string, number>;
  /** Lines at the end that stand in front of matches behind it, by container. */
  readonly inFront: ReadonlyMap<string, number>;
}

/**
 * The lines of a page: of all that is shown around all matches, what lies behind the first line that is shown in front
 * of a match of the page. So pages are parts of one sequence, each line on one of them, in order.
 */
export function pageWithContext(page: PageContext, filter: FilterPlan): readonly LogRecord[] {
  const { before, floor } = page;
  if (filter.beforeContext === 0 && filter.afterContext === 0) return page.chosen;
  const lines = linesFor(filter);
  for (const [id, count] of page.following) lines.follow(id, count);
  const shown: LogRecord[] = [];
  for (const record of page.all) {
    if (floor !== undefined && compareTimestamps(record.at, floor) <= 0) continue;
    lines.take(record, page.matches.has(record), shown);
  }
  for (const [id, count] of page.inFront) shown.push(...lines.waiting(id).slice(-count));
  shown.sort(compareRecords);
  const isBehind = (record: LogRecord) => before === undefined || compareRecords(record, before) > 0;
  if (before === undefined) return shown;
  const start = withContext(page.all, page.chosen, { ...filter, afterContext: 0 }).find(isBehind);
  return start === undefined ? [] : shown.filter((record) => compareRecords(record, start) >= 0);
}

/** All of it is in memory anyway. */
function linesFor({ beforeContext, afterContext }: FilterPlan): ContextLines {
  return new ContextLines(beforeContext, afterContext, Number.POSITIVE_INFINITY);
}

/** Whether a match has fewer known records of its container in front of it than its context asks for. */
export function lacksContext(
  known: readonly LogRecord[],
  matches: ReadonlySet<LogRecord>,
  { beforeContext }: FilterPlan,
): boolean {
  return known.slice(0, beforeContext).some((record) => matches.has(record));
}

/** Whether a line behind the last match of the page before may follow a match that is not known. */
export function lacksMatches(
  part: Part,
  before: LogRecord | undefined,
  { afterContext }: FilterPlan,
): boolean {
  const known = part.tail?.records ?? [];
  if (before === undefined || afterContext === 0) return false;
  const end = known.findLastIndex((record) => compareRecords(record, before) <= 0) + 1;
  if (end >= afterContext) return false;
  const passed = new Set(part.passed);
  if (known.slice(0, end).some((record) => passed.has(record))) return false;
  const counted = part.tail?.times.reduce((sum, times) => sum + times.countBefore(before.at), 0) ?? 0;
  return end + counted < afterContext;
}
