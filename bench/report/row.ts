import type { Goals } from '../cases/case.ts';
import type { Cost } from '../measure/run-once.ts';

/** A line of the table. */
export interface Row {
  /** Which logtool, or what else is told. */
  readonly who: string;
  readonly cells: readonly Cell[];
  /** A word on what was compared. */
  readonly note?: string;
}

/** A figure beside its goal. */
export interface Cell {
  readonly column: 'wall' | 'cpu' | 'peak' | 'other';
  readonly text: string;
  /** Whether the goal is met; undefined where there is none. */
  readonly isMet: boolean | undefined;
}

const PEAK_MIB = 2 ** 20;

export function middle(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Medians of logtool beside those of its peer. */
export function costCells(own: readonly Cost[], peer: readonly Cost[], goals: Goals): readonly Cell[] {
  const medians = (samples: readonly Cost[], of: (cost: Cost) => number | undefined) =>
    middle(samples.map(of).filter((value) => value !== undefined));
  const wall = (cost: Cost) => cost.wallMs;
  const cpu = (cost: Cost) => cost.cpuMs;
  const peak = (cost: Cost) => cost.peakBytes;
  return [
    ratioCell('wall', medians(own, wall), medians(peer, wall), goals.wall),
    ratioCell('cpu', medians(own, cpu), medians(peer, cpu), goals.cpu),
    peakCell(medians(own, peak), medians(peer, peak), goals.peakMiB),
  ];
}

function ratioCell(column: 'wall' | 'cpu', own: number, peer: number, goal: number | undefined): Cell {
  const ratio = own / peer;
  const goalText = goal === undefined ? '' : ` (goal ${goal})`;
  return {
    column,
    text: `${duration(own)} / ${duration(peer)} = ${ratio.toFixed(2)}${goalText}`,
    isMet: goal === undefined ? undefined : ratio <= goal,
  };
}

function peakCell(own: number, peer: number, goalMiB: number | undefined): Cell {
  if (Number.isNaN(own)) return { column: 'peak', text: '-', isMet: undefined };
  const mebibytes = (bytes: number) => Math.round(bytes / PEAK_MIB);
  const goalText = goalMiB === undefined ? '' : ` (goal ${goalMiB})`;
  return {
    column: 'peak',
    text: `${mebibytes(own)} / ${mebibytes(peer)} MiB${goalText}`,
    isMet: goalMiB === undefined ? undefined : own / PEAK_MIB <= goalMiB,
  };
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
