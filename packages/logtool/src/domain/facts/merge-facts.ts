import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../record.ts';
import { compareFacts, type Fact, isStart, positionOf } from './fact.ts';

/** Output of a merge, in order. */
export type Merged =
  | { readonly type: 'records'; readonly records: readonly LogRecord[] }
  | { readonly type: 'fact'; readonly fact: Fact };

/**
 * Number of records held back. Within this range, an exit sorts after the last record of its run whatever the clock
 * did. A run with more records after its exit had its clock set back by far more than clocks are known to be.
 */
const HELD_RECORDS = 5_000;

/**
 * Merges facts into ordered records. A fact is placed by its time, with two exceptions, because the cluster truncates
 * times to whole seconds and clocks are set: an exit comes after the last record of its run, and before the first
 * record of the next run if that record is not older than the exit's second; a start comes before the first record of
 * its run. Facts do not count as records, and the order is independent of how the records are batched.
 */
export class FactMerge {
  #facts: readonly Fact[];
  #records: LogRecord[] = [];
  readonly #held: number;
  /** Runs (keyText) whose first records are already out. */
  readonly #begun = new Set<string>();

  constructor(facts: readonly Fact[], held = HELD_RECORDS) {
    this.#facts = [...facts].sort(compareFacts);
    this.#held = held;
  }

  /** Adds the next records. Returns everything that no later record can precede. */
  push(records: readonly LogRecord[]): readonly Merged[] {
    for (const record of records) this.#records.push(record);
    return this.#records.length < 2 * this.#held ? [] : this.#take(this.#records.length - this.#held);
  }

  /**
   * Ends the merge: no more records come. `isCut`: the window has a count, and more records exist before or after it;
   * facts there are not part of this window.
   */
  end(isCut: { readonly before: boolean; readonly after: boolean }): readonly Merged[] {
    const [first, last] = [this.#records[0], this.#records.at(-1)];
    if (isCut.before && first !== undefined)
      this.#facts = this.#facts.filter((fact) => compareTimestamps(positionOf(fact), first.at) >= 0);
    if (isCut.after && last !== undefined)
      this.#facts = this.#facts.filter((fact) => compareTimestamps(positionOf(fact), last.at) <= 0);
    return this.#take(this.#records.length, true);
  }

  /** Takes the records before an index, with the facts among them. */
  #take(count: number, isEnd = false): readonly Merged[] {
    const runs = new Runs(this.#records, this.#begun);
    const slots = this.#facts.map((fact) => ({ fact, slot: runs.slotOf(fact) }));
    const isDue = (slot: number) => slot < count || (isEnd && slot === count);
    const due = slots.filter(({ slot }) => isDue(slot));
    this.#facts = slots.flatMap(({ fact, slot }) => (isDue(slot) ? [] : fact));
    const merged: Merged[] = [];
    let from = 0;
    for (const { fact, slot } of inOrder(due)) {
      if (slot > from) merged.push({ type: 'records', records: this.#records.slice(from, slot) });
      from = Math.max(from, slot);
      merged.push({ type: 'fact', fact });
    }
    if (count > from) merged.push({ type: 'records', records: this.#records.slice(from, count) });
    for (const { run } of this.#records.slice(0, count)) this.#begun.add(run.keyText);
    this.#records = this.#records.slice(count);
    return merged;
  }
}

/** A fact, and how many of the records come before it. */
export interface PlacedFact {
  readonly fact: Fact;
  readonly slot: number;
}

/**
 * Orders facts by slot and time: between the same two records, an exit comes before the restart that it caused, even if
 * the clock was set back.
 */
export function inOrder<P extends PlacedFact>(placed: readonly P[]): readonly P[] {
  return causesFirst([...placed].sort((a, b) => a.slot - b.slot || compareFacts(a.fact, b.fact)));
}

function causesFirst<P extends PlacedFact>(due: readonly P[]): readonly P[] {
  const slots = new Map(due.map(({ fact, slot }) => [fact.id, slot]));
  const waiting = new Map<string, P[]>();
  const given = new Set<string>();
  const ordered: P[] = [];
  const give = (placed: P) => {
    ordered.push(placed);
    given.add(placed.fact.id);
    for (const next of waiting.get(placed.fact.id) ?? []) give(next);
  };
  for (const placed of due) {
    const { cause } = placed.fact;
    if (cause === undefined || given.has(cause) || slots.get(cause) !== placed.slot) give(placed);
    else waiting.set(cause, [...(waiting.get(cause) ?? []), placed]);
  }
  return ordered;
}

/** Index of the records of each run in a list. */
class Runs {
  readonly #records: readonly LogRecord[];
  /** By pod, container and run. */
  readonly #ranges = new Map<string, { readonly first: number; last: number }>();
  /** By pod and container: the indexes of the first records of its runs, ascending. */
  readonly #firsts = new Map<string, number[]>();

  constructor(records: readonly LogRecord[], begun: ReadonlySet<string>) {
    this.#records = records;
    records.forEach(({ run }, index) => {
      const range = this.#ranges.get(run.keyText);
      if (range !== undefined) {
        range.last = index;
        return;
      }
      this.#ranges.set(run.keyText, { first: index, last: index });
      if (begun.has(run.keyText)) return;
      const id = `${run.key.podUid}/${run.key.container}`;
      const firsts = this.#firsts.get(id);
      if (firsts === undefined) this.#firsts.set(id, [index]);
      else firsts.push(index);
    });
  }

  /** Returns how many of the records come before a fact. */
  slotOf(fact: Fact): number {
    const byTime = this.#countUpTo(positionOf(fact));
    const { uid, container, run } = fact.subject;
    if (container === undefined || run === undefined) return byTime;
    const range = this.#ranges.get(`${uid}/${container}/${run}`);
    if (isStart(fact.kind)) return range === undefined ? byTime : Math.min(byTime, range.first);
    if (fact.kind !== 'exited') return byTime;
    const after = range === undefined ? 0 : range.last + 1;
    const next = this.#firsts
      .get(`${uid}/${container}`)
      ?.find((first) => first >= after && this.#isFrom(first, fact.at));
    return Math.max(after, Math.min(byTime, next ?? byTime));
  }

  #isFrom(index: number, at: Timestamp): boolean {
    const record = this.#records[index];
    return record !== undefined && compareTimestamps(record.at, at) >= 0;
  }

  /** Counts the records up to this time; they are in order. */
  #countUpTo(at: Timestamp): number {
    let [low, high] = [0, this.#records.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const record = this.#records[middle];
      if (record !== undefined && compareTimestamps(record.at, at) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
