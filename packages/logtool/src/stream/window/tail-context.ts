import type { FilterPlan } from '../../domain/filter.ts';
import { compareRecords, type LogRecord } from '../../domain/record.ts';
import { ContextLines } from '../match/context-lines.ts';

/**
 * Matches with the context lines around them, in the total order. `all`: the known records, in that order.
 */
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

/** All of it is in memory anyway. */
function linesFor({ beforeContext, afterContext }: FilterPlan): ContextLines {
  return new ContextLines(beforeContext, afterContext, Number.POSITIVE_INFINITY);
}

/** Whether a match has fewer known earlier records of its container than its context asks for. */
export function lacksContext(
  known: readonly LogRecord[],
  matches: ReadonlySet<LogRecord>,
  { beforeContext }: FilterPlan,
): boolean {
  return known.slice(0, beforeContext).some((record) => matches.has(record));
}
