import {
  type FilterPlan,
  LEVEL_CHOICES,
  LEVELS,
  type Prepare,
  type RecordMatcher,
} from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import { startOf } from '../../domain/records/record-rules.ts';
import { batchMatches } from './batch-matches.ts';
import { compileSearch } from './compile-search.ts';
import { createMatcher, patternTexts } from './create-matcher.ts';
import { leveledLine } from './leveled-line.ts';
import { checkQuerySize } from './pattern-limits.ts';
import type { MatchUse } from './thread-match.ts';
import { withFields } from './with-fields.ts';

/**
 * Tests of a record's lines when it is filtered as a whole: it passes if its level is wanted, one of its lines
 * matches the pattern and has the fields, and none of them is excluded.
 */
export interface LineTests {
  /** Indexes of LEVELS, LEVELS.length for records without a level; undefined: all are wanted. */
  readonly levels: ReadonlySet<number> | undefined;
  readonly includes: (line: LogRecord) => boolean;
  readonly excludes: (line: LogRecord) => boolean;
  /** Returns the lines of a batch that pass `includes`, in order, in one search; undefined: there is no pattern. */
  readonly matching?: ((batch: readonly LogRecord[]) => readonly LogRecord[]) | undefined;
}

export interface RecordTests extends LineTests {
  /** Whether the record of a line may pass: a search back keeps what is around such lines. */
  readonly candidate: RecordMatcher;
}

const ERROR = LEVELS.indexOf('error');

/** Creates the tests; see createMatcher, which compiles the patterns. */
export async function createRecordTests(
  plan: FilterPlan,
  use: MatchUse,
  onCut?: (record: LogRecord, bytes: number) => void,
): Promise<RecordTests> {
  const { grep, also, exclude, ignoreCase, fields = [] } = plan;
  checkQuerySize(patternTexts(plan), ignoreCase);
  const matcherOf = (patterns: Partial<FilterPlan>) =>
    createMatcher({ ...plan, grep: undefined, also: [], exclude: [], levels: [], ...patterns }, use, onCut);
  const hasIncluding = grep !== undefined || fields.length > 0;
  const sought = compileSearch({ search: undefined, fields });
  const including = hasIncluding ? withFields(await matcherOf({ grep, also }), sought) : undefined;
  const included = including?.matches;
  const passing = exclude.length === 0 ? undefined : (await matcherOf({ exclude })).matches;
  const matching = including && batchMatches(including);
  const levels = wantedLevels(plan.levels);
  const prepare: Prepare = (records) => both(included?.prepare?.(records), passing?.prepare?.(records));
  const includes = (line: LogRecord) => included?.(line) ?? true;
  const mayHaveLevel = (record: LogRecord) => {
    if (levels === undefined) return true;
    const { level, shape } = leveledLine(record);
    // A trace without a level is an error.
    return levels.has(level) || (levels.has(ERROR) && startOf(shape) !== 'none');
  };
  return {
    levels,
    includes,
    excludes: (line) => passing?.(line) === false || sought.refuses?.(line) === true,
    matching,
    candidate: Object.assign(hasIncluding ? includes : mayHaveLevel, { prepare, among: matching }),
  };
}

/** Returns indexes of LEVELS; undefined: all. */
export function wantedLevels(levels: FilterPlan['levels']): ReadonlySet<number> | undefined {
  return levels.length === 0 ? undefined : new Set(levels.map((level) => LEVEL_CHOICES.indexOf(level)));
}

function both(a: Promise<void> | undefined, b: Promise<void> | undefined): Promise<void> | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Promise.all([a, b]).then(() => undefined);
}
