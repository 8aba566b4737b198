import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type ChartStep, helmFailure } from '../failures.ts';

/** Limits for work on a chart, after which the program ends the work. */
export interface ChartLimits {
  /** JavaScript heap of the thread, in MiB. Bun has no such limit. */
  readonly heapMiB: number;
  /** Growth of the whole process meanwhile, in MiB, including memory outside the heap. */
  readonly growthMiB: number;
  /** Time for one task in ms, without waiting for the cluster. */
  readonly timeMs: number;
}

/**
 * Far above what any real chart needs. The time exceeds the templates' own limit (`TEMPLATE_LIMITS`) by a second,
 * because that limit gives a more precise error.
 */
export const CHART_LIMITS: ChartLimits = { heapMiB: 1024, growthMiB: 1536, timeMs: 61_000 };

/** `step`: the step that exceeded the limit. */
export function tooMuchMemory(step: ChartStep, limitMiB: number): CodedError {
  return helmFailure('chart-limit', { limit: 'memory', step, limitMiB });
}

export function tooMuchTime(step: ChartStep, limitMs: number): CodedError {
  return helmFailure('chart-limit', { limit: 'time', step, limitMs });
}
