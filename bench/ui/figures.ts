import type { Seen } from './probe.ts';

/** A row of the table. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** The goal; absent if the figure explains another one. */
  readonly limit?: string;
  /** The measured value divided by the limit: at most 1 meets it. */
  readonly ratio?: number;
}

export function middle(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Compares times with a limit in ms: the median decides, and the report also shows the worst. */
export function times(what: string, samples: readonly number[], limitMs: number): Figure {
  const median = middle(samples);
  const worst = Math.max(...samples);
  return {
    what,
    measured: `${Math.round(median)} ms (worst of ${samples.length}: ${Math.round(worst)} ms)`,
    limit: `${limitMs} ms`,
    ratio: median / limitMs,
  };
}

/** Reports frames and long tasks of a period. */
export function smoothness(what: string, seen: Seen, taskMs: readonly number[]): Figure[] {
  const perSecond = (seen.frameGaps.length * 1000) / seen.ms;
  const p95 = percentile(taskMs, 0.95);
  return [
    {
      what: `${what}: frames a second`,
      measured: `${perSecond.toFixed(1)} (gap between frames p95 ${percentile(seen.frameGaps, 0.95).toFixed(0)} ms, longest ${Math.max(0, ...seen.frameGaps).toFixed(0)} ms)`,
      limit: 'at least 50',
      ratio: 50 / perSecond,
    },
    {
      what: `${what}: longest task in each frame, p95`,
      measured: `${p95.toFixed(1)} ms (${seen.longTasks.length} over 50 ms in ${(seen.ms / 1000).toFixed(0)} s, longest ${Math.max(0, ...taskMs).toFixed(0)} ms)`,
      limit: '50 ms',
      ratio: p95 / 50,
    },
  ];
}
