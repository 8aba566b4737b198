import { COUNTED_LEVELS, type CountedLevel } from '../../domain/coverage/scan.ts';
import type { FilterPlan, Prepare } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { LineMatcher } from '../../domain/search/line-matcher.ts';
import { compileSearch, type SearchFilter } from '../match/compile-search.ts';
import type { LineTests, RecordTests } from '../match/record-tests.ts';
import type { ReadContext } from '../plan/read-context.ts';

/**
 * A scan's tests of records, by the rules for filtering whole records: the level is that of the record, one of its
 * lines has everything that is searched, and none has anything excluded.
 */
export interface ScanTests extends LineTests {
  /** Must be called with lines before the others are used on them. */
  readonly prepare: Prepare | undefined;
  /** What the search requires of a line. */
  readonly matchers: readonly LineMatcher[];
  /** Found lines may be excluded. */
  readonly isExcluding: boolean;
}

/** Which records of a range to search for. */
export interface ScanFilter {
  /**
   * Excludes context lines. With `wholeRecords`, records of several lines are judged and counted as one, at the time of
   * their first line; for a record that crosses an end of the range, the lines inside of it are one. Otherwise each
   * line counts.
   */
  readonly filter: FilterPlan;
  /** Like those of the filter, and `none`: records without a level. */
  readonly levels?: readonly CountedLevel[] | undefined;
  /** What to search for in addition to the filter, by the rules of the page. */
  readonly search?: SearchFilter | undefined;
}

/** For whom patterns are matched, until when. */
type Matching = Pick<ReadContext, 'person' | 'signal'>;

/** Compiles a scan's tests. Throws usage errors for invalid or too large patterns. */
export async function scanTestsOf(context: Matching, plan: ScanFilter): Promise<ScanTests> {
  const { filter, search } = plan;
  const fields = [...(filter.fields ?? []), ...(search?.fields ?? [])];
  const patterns = filter.grep !== undefined || filter.exclude.length > 0;
  const tests = patterns ? await patternTests(context, plan) : undefined;
  const searched = compileSearch({ search: search?.search, fields });
  const { finds, refuses } = searched;
  const byPattern = tests?.matching;
  return {
    levels: levelsOf(plan, searched.levels),
    prepare: tests?.candidate.prepare,
    matchers: searched.matchers,
    isExcluding: filter.exclude.length > 0,
    includes: (line) => tests?.includes(line) !== false && finds?.(line) !== false,
    excludes: (line) => tests?.excludes(line) === true || refuses?.(line) === true,
    matching: matchingOf(byPattern, finds),
  };
}

async function patternTests(context: Matching, { filter }: ScanFilter): Promise<RecordTests> {
  // Loads regular expressions only if needed.
  const { createRecordTests } = await import('../match/record-tests.ts');
  const { person = '', signal } = context;
  return createRecordTests({ ...filter, levels: [], fields: [] }, { person, signal });
}

function matchingOf(
  byPattern: LineTests['matching'],
  finds: ((line: LogRecord) => boolean) | undefined,
): LineTests['matching'] {
  if (byPattern === undefined) return finds && ((batch) => batch.filter(finds));
  return finds === undefined ? byPattern : (batch) => byPattern(batch).filter(finds);
}

/** Returns the levels that filter and search both want, as indexes of COUNTED_LEVELS; undefined: all. */
function levelsOf(
  { filter, levels = [] }: ScanFilter,
  isSought: ((level: number) => boolean) | undefined,
): ScanTests['levels'] {
  const lists: readonly (readonly string[])[] = [filter.levels, levels].filter(({ length }) => length > 0);
  const wanted = COUNTED_LEVELS.flatMap((name, level) =>
    lists.every((list) => list.includes(name)) && isSought?.(level) !== false ? [level] : [],
  );
  return wanted.length === COUNTED_LEVELS.length ? undefined : new Set(wanted);
}
