import { failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { PatternFault } from './pattern-fault.ts';

/** What a pattern is for. */
export type PatternUse = 'grep' | 'exclude' | 'highlight';

/** Instructions of compiled patterns, and how many there may be. */
export interface PatternSize {
  readonly size: number;
  readonly limit: number;
}

/** What can go wrong with the patterns of a filter: each code with its data. */
export interface FilterFailures {
  'bad-pattern': { readonly use: PatternUse; readonly pattern: string; readonly fault: PatternFault };
  /** The patterns of one query. */
  'pattern-too-large': PatternSize;
  /** The patterns of all open queries of one person. */
  'too-many-patterns': PatternSize;
  /** `why`: as the system says it. */
  'match-failed':
    | { readonly reason: 'memory'; readonly limitMib: number }
    | { readonly reason: 'error'; readonly why: string }
    /** Of the thread that matches. */
    | { readonly reason: 'ended' };
  /** Matching a few lines took longer. */
  'match-too-slow': { readonly limitMs: number };
}

export const filterFailure = failuresOf<FilterFailures>();
