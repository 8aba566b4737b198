import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { badPattern, patternTooLarge, tooManyScans } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import type { FilterFailures } from '../../domain/patterns/filter-failures.ts';
import type { EntryQuery } from '../entries/entry-query.ts';
import type { LogFiles } from '../entries/log-files.ts';
import { type CountItem, countLines, countTestsOf } from '../search/count-lines.ts';
import type { SearchedContainer } from '../search/joined-lines.ts';
import { type SearchItem, searchEntries } from '../search/search-entries.ts';
import type { LogReading } from './pod-log.ts';
import type { SearchOptions } from './search-options.ts';

type Items = AsyncGenerator<SearchItem | CountItem, void, undefined>;

/**
 * Opens a search or a count of files, if a slot is free; it is given back when the items end, or the reader leaves. Throws
 * what matching throws, and the items what reading throws.
 */
export async function openPodSearch(
  files: LogFiles,
  query: EntryQuery,
  { filter, maxScan: asked = Number.POSITIVE_INFINITY, bucketMs }: SearchOptions,
  { container, reading }: { readonly container: SearchedContainer; readonly reading: LogReading },
): Promise<{ readonly status: Status } | { readonly items: Items }> {
  const { signal, stamps, clock, maxScanBytes = Number.POSITIVE_INFINITY } = reading;
  // A search that ends early says where it ended, and goes on from there when it is asked again.
  const maxScan = Math.min(asked, maxScanBytes);
  const release = reading.scans.take(signal);
  if (release === undefined) return { status: tooManyScans() };
  let items: Items;
  try {
    if (bucketMs === undefined) {
      // Loads regular expressions only if somebody searches.
      const { compileFilter } = await import('../../stream/match/compile-filter.ts');
      const compiled = await compileFilter(filter, { person: '', signal });
      items = searchEntries(files, { query, filter, maxScan }, { container, compiled, stamps, clock });
    } else {
      const tests = await countTestsOf(filter, signal);
      items = countLines(files, { query, filter, bucketMs, maxScan }, { container, tests, stamps, clock });
    }
  } catch (error) {
    release();
    const status = statusOf(error);
    if (status === undefined) throw error;
    return { status };
  }
  return { items: released(items, release) };
}

async function* released(items: Items, release: () => void): Items {
  try {
    yield* items;
  } finally {
    release();
  }
}

function statusOf(error: unknown): Status | undefined {
  if (!(error instanceof CodedError)) return undefined;
  if (error.code === 'bad-pattern') {
    const { use, pattern, fault } = error.data as FilterFailures['bad-pattern'];
    return badPattern(use, pattern, fault.why);
  }
  if (error.code === 'pattern-too-large' || error.code === 'too-many-patterns') {
    const { size, limit } = error.data as FilterFailures['pattern-too-large'];
    return patternTooLarge(size, limit);
  }
  return undefined;
}
