import { failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { PatternFault } from './pattern-fault.ts';

/** The purpose of a pattern. */
export type PatternUse = 'grep' | 'exclude' | 'highlight';

/** The number of instructions in compiled patterns, and its limit. */
export interface PatternSize {
  readonly size: number;
  readonly limit: number;
}

/** What can go wrong with the patterns of a filter: each code with its data. */
export interface FilterFailures {
  'bad-pattern': { readonly use: PatternUse; readonly pattern: string; readonly fault: PatternFault };
  /** The patterns of one query. */
  'pattern-too-large': PatternSize;
  /** The patterns of all open queries of one user. */
  'too-many-patterns': PatternSize;
  /** `why`: reported by the system. */
  'match-failed':
    | { readonly reason: 'memory'; readonly limitMib: number }
    | { readonly reason: 'error'; readonly why: string }
    /** The matching thread ended. */
    | { readonly reason: 'ended' };
  /** Matching took longer than the limit for a small number of lines. */
  'match-too-slow': { readonly limitMs: number };
}

export const filterFailure = failuresOf<FilterFailures>();
