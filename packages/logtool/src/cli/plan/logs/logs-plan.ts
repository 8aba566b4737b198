import type { ColumnName } from '../../../domain/columns.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import type { EnginePlan } from '../../../stream/engine.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

/** All that `logs` was asked to do: complete, checked, and changed by nothing afterwards. */
export interface LogsPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly engine: EnginePlan;
  readonly output: OutputPlan;
  /** Bytes of messages that are shown of each container; undefined: all. */
  readonly limitBytes: number | undefined;
  /** Nobody named a number of records. */
  readonly countIsDefault: boolean;
  /** A result without a record is a failure. */
  readonly failEmpty: boolean;
  /** Which facts about the cluster stand among the records. */
  readonly events: (typeof EVENT_CHOICES)[number];
  /** Counts by time and level in place of records; undefined: records. */
  readonly count: CountPlan | undefined;
}

export interface CountPlan {
  readonly range: Interval;
  /** Width of a bucket of time in ms; undefined: one that fits the range. */
  readonly bucketMs: number | undefined;
}

export const RECORD_FORMATS = ['text', 'pretty', 'json', 'csv', 'tsv'] as const;
/** Whether a filter keeps records of several lines whole. */
export const GROUPINGS = ['auto', 'always', 'never'] as const;
/** Which facts about the cluster stand among the records. */
export const EVENT_CHOICES = ['none', 'warnings', 'all'] as const;
export const COLOR_WISHES = ['auto', 'always', 'never'] as const;
export const CONTAINER_STATES = ['running', 'waiting', 'terminated', 'all'] as const;

/** How records are printed. Whether there is a terminal is asked later: it is no wish of anybody. */
export interface OutputPlan {
  readonly format: (typeof RECORD_FORMATS)[number] | 'raw' | 'template';
  /** The pieces of a line of --format; none without it. */
  readonly template: readonly TemplateToken[];
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly fields: FieldChoice;
  readonly color: (typeof COLOR_WISHES)[number];
  /** `utc`, `local` or a name of the IANA time zone database. */
  readonly timezone: string;
  /** What is marked on a terminal: --highlight and --grep together, as one RE2 pattern. */
  readonly highlight: string | undefined;
  readonly ignoreCase: boolean;
  readonly cursors: boolean;
  readonly quiet: boolean;
}

/** Which fields of lines `-o pretty` shows. */
export interface FieldChoice {
  /** These, in this order; none named: all. */
  readonly only: readonly string[];
  readonly hidden: readonly string[];
}

/** One piece of a line of --format: text as it is, a column, another field of the record, a value of a JSON message. */
export type TemplateToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly column: Exclude<ColumnName, 'dot'> }
  | { readonly kind: 'message' }
  | { readonly kind: 'level' }
  /** Keys from the outermost object on; a number is an index in a list. */
  | { readonly kind: 'json'; readonly path: readonly string[] };
