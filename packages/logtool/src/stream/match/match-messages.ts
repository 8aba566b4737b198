import type { ErrorParts } from '@logtool/kube/src/values/errors.ts';

/** A pattern as it was given; `flag` is named where it is wrong. */
export interface PatternText {
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly flag: string;
}

/** The patterns of one query that a thread tests. A message passes that matches `include`, and none of `excludes`. */
export interface PatternSet {
  readonly include: PatternText | undefined;
  readonly excludes: readonly PatternText[];
}

/** Messages one behind another; `ends` has the place behind each. */
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
      /** The set, where the thread does not know it. */
      readonly set: PatternSet | undefined;
      /** Without them the set is only compiled. */
      readonly messages: Messages | undefined;
    }
  | { readonly type: 'forget'; readonly id: number };

/** From the thread. */
export interface MatchAnswer {
  readonly job: number;
  /** For each message 1 where it passes, else 0. */
  readonly passed?: Uint8Array<ArrayBuffer> | undefined;
  readonly error?: ErrorParts | undefined;
}
