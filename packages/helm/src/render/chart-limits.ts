import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type ChartStep, helmFailure } from '../failures.ts';

/** What work on a chart may take before the program ends it. */
export interface ChartLimits {
  /** JavaScript heap of the thread, in MiB. Bun has no such limit. */
  readonly heapMiB: number;
  /** By how much the whole process may grow meanwhile, in MiB: also what is outside of the heap. */
  readonly growthMiB: number;
  /** How long one task may take, without waiting for the cluster. */
  readonly timeMs: number;
}

/**
 * Far above what any chart of use needs. The time is a second more than templates have for themselves
 * (`TEMPLATE_LIMITS`), which say more exactly what was wrong.
 */
export const CHART_LIMITS: ChartLimits = { heapMiB: 1024, growthMiB: 1536, timeMs: 61_000 };

/** `step`: what was being done. */
export function tooMuchMemory(step: ChartStep, limitMiB: number): CodedError {
  return helmFailure('chart-limit', { limit: 'memory', step, limitMiB });
}

export function tooMuchTime(step: ChartStep, limitMs: number): CodedError {
  return helmFailure('chart-limit', { limit: 'time', step, limitMs });
}
