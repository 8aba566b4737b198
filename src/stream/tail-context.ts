import type { FilterPlan } from '../domain/filter.ts';
import { compareRecords, type LogRecord } from '../domain/record.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';
import { ContextLines } from './match/context-lines.ts';

/** Where a page begins: context from in front of it belongs to the page before, so that each record is given once. */
export interface PageEdge {
  /** The last match that the page before shows. */
  readonly match: LogRecord | undefined;
  /** Up to this time nothing was searched. */
  readonly floor: Timestamp | undefined;
}

/** Matches with the context lines around them, in the total order. `all`: what is known, in that order. */
export function withContext(
  all: readonly LogRecord[],
  matches: readonly LogRecord[],
  filter: FilterPlan,
  edge: PageEdge | undefined,
): readonly LogRecord[] {
  if (filter.beforeContext === 0 && filter.afterContext === 0) return matches;
  const wanted = new Set(matches);
  const lines = new ContextLines(filter.beforeContext, filter.afterContext);
  const out: LogRecord[] = [];
  for (const record of all) lines.take(record, wanted.has(record), out);
  return out.filter((record) => edge === undefined || isBehind(record, edge)).sort(compareRecords);
}

/** Whether a match has fewer known records of its container in front of it than its context asks for. */
export function lacksContext(
  known: readonly LogRecord[],
  matches: ReadonlySet<LogRecord>,
  { beforeContext }: FilterPlan,
): boolean {
  return known.slice(0, beforeContext).some((record) => matches.has(record));
}

function isBehind(record: LogRecord, { match, floor }: PageEdge): boolean {
  if (match !== undefined && compareRecords(record, match) <= 0) return false;
  return floor === undefined || compareTimestamps(record.at, floor) > 0;
}
