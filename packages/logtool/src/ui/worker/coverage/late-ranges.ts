import { compareTimestamps, formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { inclusive, intervalOf, timeOfBound } from './missing.ts';

/** Times between two bounds; undefined: no bound. */
export interface LateRange {
  readonly from: WireBound | undefined;
  readonly to: WireBound | undefined;
}

interface Late {
  readonly ranges: readonly LateRange[];
  /** ms since the epoch. */
  readonly sinceMs: number;
}

/** The ranges of the held log that were read without a container, because it did not answer in time. */
export class LateRanges {
  readonly #waiting = new Map<string, Late>();
  /** Parts that are not read any more: there was too much in them, or they could not be read. */
  readonly #unread = new Map<string, readonly LateRange[]>();
  readonly #settled = new Map<string, (() => void)[]>();
  /** Grows with each range that is added. */
  version = 0;

  /** Whether lines of some container are not in what is held. */
  get isAny(): boolean {
    return this.#waiting.size + this.#unread.size > 0;
  }

  /** The containers that are waited for, and since when (ms since the epoch). */
  get waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#waiting].map(([id, { sinceMs }]) => [id, sinceMs]));
  }

  add(id: string, range: LateRange, sinceMs: number): void {
    const before = this.#waiting.get(id);
    this.version++;
    this.#waiting.set(id, {
      ranges: [...(before?.ranges ?? []), plainRange(range)],
      sinceMs: before?.sinceMs ?? sinceMs,
    });
  }

  rangesOf(id: string): readonly LateRange[] {
    return this.#waiting.get(id)?.ranges ?? [];
  }

  /** These ranges of it were read, or are waited for no longer. `left`: what is still missing of them. */
  settle(id: string, ranges: readonly LateRange[], left?: LateRange): void {
    const before = this.#waiting.get(id);
    if (left !== undefined) this.#unread.set(id, [...(this.#unread.get(id) ?? []), left]);
    if (before === undefined) return;
    const rest = before.ranges.filter((range) => !ranges.includes(range));
    if (rest.length > 0) {
      this.#waiting.set(id, { ...before, ranges: rest });
      return;
    }
    this.#waiting.delete(id);
    for (const resolve of this.#settled.get(id) ?? []) resolve();
    this.#settled.delete(id);
  }

  /** It is not waited for any more, and its ranges stay missing. */
  giveUp(id: string): void {
    const ranges = this.rangesOf(id);
    this.#unread.set(id, [...(this.#unread.get(id) ?? []), ...ranges]);
    this.settle(id, ranges);
  }

  /** Nobody asks for the container any more. */
  forget(id: string): void {
    this.#unread.delete(id);
    this.settle(id, this.rangesOf(id));
  }

  /** Until nothing of the container is waited for. */
  async untilSettled(id: string): Promise<void> {
    if (!this.#waiting.has(id)) return;
    await new Promise<void>((resolve) => {
      this.#settled.set(id, [...(this.#settled.get(id) ?? []), resolve]);
    });
  }

  /** The times of which lines are missing. */
  get intervals(): readonly Interval[] {
    const waiting = [...this.#waiting.values()].flatMap(({ ranges }) => ranges);
    return [...waiting, ...[...this.#unread.values()].flat()].map(intervalOf);
  }
}

/** The smallest range that has all of these. */
export function hullOf(ranges: readonly LateRange[]): LateRange {
  const first = (a: LateRange, b: LateRange) => compareEnds(intervalOf(a).from, intervalOf(b).from, -1);
  const last = (a: LateRange, b: LateRange) => compareEnds(intervalOf(b).to, intervalOf(a).to, 1);
  return { from: ranges.toSorted(first)[0]?.from, to: ranges.toSorted(last)[0]?.to };
}

/** `open`: how an end without a bound compares with one that has. */
function compareEnds(a: Interval['from'], b: Interval['from'], open: 1 | -1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? open : -open;
  return compareTimestamps(a, b);
}

/** A range of one container, whose ends do not count the records of others. */
function plainRange({ from, to }: LateRange): LateRange {
  return { from: from && plainFrom(from), to: to && plainTo(to) };
}

/** Whether a cursor lies among the records of one time, which it counts in all containers. */
export function isCounted(bound: WireBound | undefined): boolean {
  return bound?.kind === 'cursor' && bound.at.includes('~');
}

/** The lower bound that has the whole time of a cursor. */
export function plainFrom(bound: WireBound): WireBound {
  return bound.kind === 'cursor' ? inclusive(timeOfBound(bound)) : bound;
}

/** The upper bound that has the whole time of a cursor, if the cursor has some of it. */
export function plainTo(bound: WireBound): WireBound {
  if (bound.kind !== 'cursor') return bound;
  const at = timeOfBound(bound);
  return isCounted(bound) ? inclusive(at) : { kind: 'strict', at: formatTimestamp(at) };
}
