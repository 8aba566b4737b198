import type { Coded, ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import type { PatternUse } from '../../domain/patterns/filter-failures.ts';

/** A pattern as given. */
export interface PatternText {
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly use: PatternUse;
}

/** The patterns of one query that a thread tests. A message passes that matches `include`, and none of `excludes`. */
export interface PatternSet {
  readonly include: PatternText | undefined;
  readonly excludes: readonly PatternText[];
}

/** Messages one after another; `ends` has the place after each. */
export interface Messages {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** To the thread. A thread has one job at a time. */
export type MatchRequest =
  | {
      readonly type: 'job';
      readonly job: number;
      /** Number of the pattern set. */
      readonly id: number;
      /** The set, if the thread does not know it. */
      readonly set: PatternSet | undefined;
      /** Without them the set is only compiled. */
      readonly messages: Messages | undefined;
    }
  | { readonly type: 'forget'; readonly id: number };

/** An error as data: its class does not cross the border of a thread. */
export interface SentError extends Coded {
  readonly exit: ErrorClass;
}

/** From the thread. */
export interface MatchAnswer {
  readonly job: number;
  /** For each message 1 where it passes, else 0. */
  readonly passed?: Uint8Array<ArrayBuffer> | undefined;
  readonly error?: SentError | undefined;
}
