import type { Coded, ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import type { PatternUse } from '../../domain/patterns/filter-failures.ts';

/** A pattern as given. */
export interface PatternText {
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly use: PatternUse;
}

/**
 * The patterns of one query that a thread tests. A message passes if it matches `include` and all of `also`, and none of
 * `excludes`.
 */
export interface PatternSet {
  readonly include: PatternText | undefined;
  readonly also: readonly PatternText[];
  readonly excludes: readonly PatternText[];
}

/** Messages one after another; `ends` has the end offset of each. */
export interface Messages {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** A request to the thread. A thread has one job at a time. */
export type MatchRequest =
  | {
      readonly type: 'job';
      readonly job: number;
      /** Number of the pattern set. */
      readonly id: number;
      /** The set, if the thread does not know it. */
      readonly set: PatternSet | undefined;
      /** If absent, the thread only compiles the set. */
      readonly messages: Messages | undefined;
    }
  | { readonly type: 'forget'; readonly id: number };

/** An error as data: its class cannot cross a thread boundary. */
export interface SentError extends Coded {
  readonly exit: ErrorClass;
}

/** An answer from the thread. */
export interface MatchAnswer {
  readonly job: number;
  /** 1 for each message that passes, else 0. */
  readonly passed?: Uint8Array<ArrayBuffer> | undefined;
  readonly error?: SentError | undefined;
}
