import { compareTimestamps, formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import { compareEnds, compareStarts, type Interval } from '../../../domain/coverage/interval.ts';
import { inclusive, intervalOf, timeOfBound } from './missing.ts';

/** Times between two bounds; undefined: open at that end. */
export interface LateRange {
  readonly from: WireBound | undefined;
  readonly to: WireBound | undefined;
}

interface Late {
  readonly ranges: readonly LateRange[];
  /** When the container was asked first, ms since the epoch. */
  readonly sinceMs: number;
}

/** By container (LogSource.id): the ranges of the held part that lack its lines, because it did not answer in time. */
export class LateRanges {
  readonly #late = new Map<string, Late>();
  /** Grows with each range that is added. */
  version = 0;

  get size(): number {
    return this.#late.size;
  }

  keys(): IterableIterator<string> {
    return this.#late.keys();
  }

  has(id: string): boolean {
    return this.#late.has(id);
  }

  /** When a container was asked first, ms since the epoch; undefined: nothing of it is lacking. */
  sinceMs(id: string): number | undefined {
    return this.#late.get(id)?.sinceMs;
  }

  rangesOf(id: string): readonly LateRange[] {
    return this.#late.get(id)?.ranges ?? [];
  }

  /** The times at which lines may be lacking. */
  get intervals(): readonly Interval[] {
    return [...this.#late.values()].flatMap(({ ranges }) => ranges.map(intervalOf));
  }

  add(id: string, range: LateRange, sinceMs: number): void {
    const before = this.#late.get(id);
    this.version++;
    this.#late.set(id, {
      ranges: [...(before?.ranges ?? []), plainRange(range)],
      sinceMs: Math.min(sinceMs, before?.sinceMs ?? sinceMs),
    });
  }

  /** Notes that these ranges were read, or are not held any more. `rest`: what is still lacking of them. */
  settle(id: string, ranges: readonly LateRange[], rest?: LateRange): void {
    const before = this.#late.get(id);
    if (before === undefined) return;
    const left = before.ranges.filter((range) => !ranges.includes(range));
    if (rest !== undefined) left.push(plainRange(rest));
    if (left.length > 0) this.#late.set(id, { ...before, ranges: left });
    else this.#late.delete(id);
  }

  /** Drops a container that no source selects any more. */
  forget(id: string): void {
    this.#late.delete(id);
  }
}

/** Returns the smallest range that contains all of these. */
export function hullOf(ranges: readonly LateRange[]): LateRange {
  const first = (a: LateRange, b: LateRange) => compareStarts(intervalOf(a).from, intervalOf(b).from);
  const last = (a: LateRange, b: LateRange) => compareEnds(intervalOf(b).to, intervalOf(a).to);
  return { from: ranges.toSorted(first)[0]?.from, to: ranges.toSorted(last)[0]?.to };
}

/** Whether two ranges end at the same time. */
export function endsWhere(range: LateRange, other: LateRange): boolean {
  const [a, b] = [intervalOf(range).to, intervalOf(other).to];
  return a === undefined || b === undefined ? a === b : compareTimestamps(a, b) === 0;
}

/** Whether a cursor lies among the records of one time: it counts those of all containers. */
export function isCounted(bound: WireBound | undefined): bound is WireBound {
  return bound?.kind === 'cursor' && bound.at.includes('~');
}

/** Returns a lower bound that does not count records: it includes the whole time of a cursor. */
export function plainFrom(bound: WireBound): WireBound {
  return bound.kind === 'cursor' ? inclusive(timeOfBound(bound)) : bound;
}

/** Returns an upper bound that does not count records: it includes the whole time of a cursor that has a part of it. */
export function plainTo(bound: WireBound): WireBound {
  if (bound.kind !== 'cursor') return bound;
  const at = timeOfBound(bound);
  return isCounted(bound) ? inclusive(at) : { kind: 'strict', at: formatTimestamp(at) };
}

function plainRange({ from, to }: LateRange): LateRange {
  return { from: from && plainFrom(from), to: to && plainTo(to) };
}
