import type { Cost } from '../measure/run-once.ts';

/** Goals: ratios of logtool to its peer; and peak memory in MiB. */
export interface Goals {
  readonly wall?: number;
  readonly cpu?: number;
  readonly peakMiB?: number;
}

/** A row of the table. */
export interface Row {
  /** The logtool, or the name of another figure. */
  readonly who: string;
  readonly cells: readonly Cell[];
  /** A note on the compared property. */
  readonly note?: string;
}

/** A figure with its goal. */
export interface Cell {
  readonly column: 'wall' | 'cpu' | 'peak' | 'other';
  readonly text: string;
  /** The goal's subject, if the column does not name it. */
  readonly name?: string;
  /** Whether the goal is met; undefined if there is none. */
  readonly isMet: boolean | undefined;
}

export const MIB = 2 ** 20;
/** Starts the note of a row whose program printed a wrong output. */
export const WRONG = '**wrong output**';

export function middle(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

interface Medians {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number | undefined;
}

function mediansOf(costs: readonly Cost[]): Medians {
  const peaks = costs.map(({ peakBytes }) => peakBytes).filter((bytes) => bytes !== undefined);
  return {
    wallMs: middle(costs.map(({ wallMs }) => wallMs)),
    cpuMs: middle(costs.map(({ cpuMs }) => cpuMs)),
    peakBytes: peaks.length === 0 ? undefined : middle(peaks),
  };
}

/** Returns medians of logtool with those of its peer. */
export function costCells(own: readonly Cost[], peer: readonly Cost[], goals: Goals): readonly Cell[] {
  const ours = mediansOf(own);
  const theirs = mediansOf(peer);
  return [
    ratioCell('wall', ours.wallMs, theirs.wallMs, goals.wall),
    ratioCell('cpu', ours.cpuMs, theirs.cpuMs, goals.cpu),
    peakCell(ours.peakBytes, theirs.peakBytes, goals.peakMiB),
  ];
}

/** Returns medians of a program without a peer. */
export function ownCells(costs: readonly Cost[]): readonly Cell[] {
  const { wallMs, cpuMs, peakBytes } = mediansOf(costs);
  return [
    { column: 'wall', text: duration(wallMs), isMet: undefined },
    { column: 'cpu', text: duration(cpuMs), isMet: undefined },
    { column: 'peak', text: mebibytes(peakBytes), isMet: undefined },
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

function peakCell(own: number | undefined, peer: number | undefined, goalMiB: number | undefined): Cell {
  if (own === undefined) return { column: 'peak', text: '-', isMet: undefined };
  const goalText = goalMiB === undefined ? '' : ` (goal ${goalMiB})`;
  return {
    column: 'peak',
    text: `${mebibytes(own)} / ${mebibytes(peer)}${goalText}`,
    isMet: goalMiB === undefined ? undefined : own / MIB <= goalMiB,
  };
}

export function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? '-' : `${Math.round(bytes / MIB)} MiB`;
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
