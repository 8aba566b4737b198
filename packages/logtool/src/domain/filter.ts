import type { LogRecord } from './record.ts';
import type { FieldFilter } from './search/line-search.ts';

/** Levels that a line can have, the most severe first. */
export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type Level = (typeof LEVELS)[number];
/** What a filter by level can keep: levels, and `none` for records without one. */
export const LEVEL_CHOICES = [...LEVELS, 'none'] as const;
export type LevelChoice = (typeof LEVEL_CHOICES)[number];

/** Content filters of the plan. Patterns are RE2 text. */
export interface FilterPlan {
  readonly grep?: string | undefined;
  /** Patterns that the line that matches `grep` must match too. */
  readonly also?: readonly string[] | undefined;
  readonly exclude: readonly string[];
  readonly ignoreCase: boolean;
  readonly levels: readonly LevelChoice[];
  /** What the fields of a line must be, or must not be: of the line that matches `grep`, if there is one. All must hold. */
  readonly fields?: readonly FieldFilter[] | undefined;
  /** Context lines of the same container around a match. */
  readonly beforeContext: number;
  readonly afterContext: number;
  /**
   * Stack traces and JSON over several lines pass as a whole or not at all (domain/records). Excludes context lines.
   */
  readonly wholeRecords?: boolean | undefined;
}

/** Whether a plan leaves out any record. */
export function isFiltering({ grep, exclude, levels, fields = [] }: FilterPlan): boolean {
  return grep !== undefined || exclude.length + levels.length + fields.length > 0;
}

/** Whether a record passes; compiled from a FilterPlan by stream/match. */
export interface RecordMatcher {
  (record: LogRecord): boolean;
  readonly prepare?: Prepare | undefined;
  /** Returns the passing records, in order. Faster than matching one by one. */
  readonly among?: ((records: readonly LogRecord[]) => readonly LogRecord[]) | undefined;
}

/**
 * Must be called with records before they are matched, and awaited if it returns a promise: a thread runs slow matches,
 * and the main thread yields now and then.
 */
export type Prepare = (records: readonly LogRecord[]) => Promise<void> | undefined;
