import { LogtoolError } from '@logtool/kube/src/values/errors.ts';

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
export function tooMuchMemory(step: string, limitMiB: number): LogtoolError {
  return new LogtoolError({
    code: 'chart-limit',
    what: `the chart needs too much memory: logtool stopped ${step}`,
    why: `it took more than ${limitMiB} MiB, far more than any ordinary chart needs`,
    next: ADVICE,
  });
}

export function tooMuchTime(step: string, limitMs: number): LogtoolError {
  return new LogtoolError({
    code: 'chart-limit',
    what: `the chart takes too long: logtool stopped ${step}`,
    why: `it took more than ${Math.floor(limitMs / 1000)} s, far more than any ordinary chart needs`,
    next: ADVICE,
  });
}

const ADVICE =
  'check where the chart comes from; if you trust it, try other values, or report this to its author';
