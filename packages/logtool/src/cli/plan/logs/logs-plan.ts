import type { ColumnName } from '../../../domain/columns.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { BackendChoice, RotatedChoice } from '../../../domain/window.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import type { EnginePlan } from '../../../stream/plan/engine.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

/** The plan of `logs`: complete, checked, and unchanged afterwards. */
export interface LogsPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly engine: EnginePlan;
  readonly output: OutputPlan;
  /** Maximum bytes of messages of each container; undefined means all. */
  readonly limitBytes: number | undefined;
  /** Files that nodes rotated away: skip them, read them too, or read only them. */
  readonly rotated: RotatedChoice;
  /** Where logs come from. */
  readonly backend: BackendChoice;
  /** The user gave no number of records. */
  readonly countIsDefault: boolean;
  /** Fail if no record matches. */
  readonly failEmpty: boolean;
  /** Which facts about the cluster to show among the records. */
  readonly events: (typeof EVENT_CHOICES)[number];
  /** Counts by time and level instead of records; undefined means records. */
  readonly count: CountPlan | undefined;
}

export interface CountPlan {
  readonly range: Interval;
  /** Width of a bucket of time in ms; undefined means one that fits the range. */
  readonly bucketMs: number | undefined;
}

export const RECORD_FORMATS = ['text', 'pretty', 'json', 'csv', 'tsv'] as const;
/** Whether a filter keeps records of several lines whole. */
export const GROUPINGS = ['auto', 'always', 'never'] as const;
/** Which facts about the cluster to show among the records. */
export const EVENT_CHOICES = ['none', 'warnings', 'all'] as const;
export const COLOR_WISHES = ['auto', 'always', 'never'] as const;
export const CONTAINER_STATES = ['running', 'waiting', 'terminated', 'all'] as const;

/** How to print records. Whether standard output is a terminal is not part of the plan. */
export interface OutputPlan {
  readonly format: (typeof RECORD_FORMATS)[number] | 'raw' | 'template';
  /** The pieces of a line of --format; empty without it. */
  readonly template: readonly TemplateToken[];
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly fields: FieldChoice;
  readonly color: (typeof COLOR_WISHES)[number];
  /** `utc`, `local` or a name from the IANA time zone database. */
  readonly timezone: string;
  /** What to highlight on a terminal: --highlight and --grep together, as one RE2 pattern. */
  readonly highlight: string | undefined;
  readonly ignoreCase: boolean;
  readonly cursors: boolean;
  readonly quiet: boolean;
}

/** Which fields `-o pretty` shows. */
export interface FieldChoice {
  /** Only these, in this order; empty means all. */
  readonly only: readonly string[];
  readonly hidden: readonly string[];
}

/**
 * One piece of a line of --format: literal text, a column, another field of the record, or a value of a JSON
 * message.
 */
export type TemplateToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly column: Exclude<ColumnName, 'dot'> }
  | { readonly kind: 'message' }
  | { readonly kind: 'level' }
  /** Keys from the outermost object inward; a number is an index in a list. */
  | { readonly kind: 'json'; readonly path: readonly string[] };
