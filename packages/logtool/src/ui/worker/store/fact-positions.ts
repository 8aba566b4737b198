import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { isStart, positionOf } from '../../../domain/facts/fact.ts';
import { inOrder, type PlacedFact } from '../../../domain/facts/merge-facts.ts';
import { type Edges, fateOf } from '../known/edges.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from './entry-table.ts';
import type { FactEntry, LineStore, MarkerSubject } from './line-store.ts';
import type { OrderPosition } from './order.ts';
import type { HeldSource } from './source-table.ts';

/** A fact with a position. `slot`: index of the line, marker or missing range that it follows; -1: before all. */
interface Placed extends PlacedFact {
  readonly entry: FactEntry;
}

/**
 * Places facts among the held entries, in the domain's order (domain/facts/merge-facts.ts): at their time, an exit
 * after the last held line of its run, a start before the first. Facts appear only where lines are held, because unread
 * ranges have no facts either. The positions depend only on the facts and the held lines, not on the order of arrival.
 */
export class FactPositions {
  readonly #store: LineStore;
  readonly #edges: Edges;
  #facts: readonly FactEntry[] = [];
  /** By fact id. */
  readonly #entries = new Map<string, EntryId>();
  #isOpen = false;
  #isChanged = false;
  #basis: readonly unknown[] = [];
  /** While computing positions: the slots of facts by their index, so that many facts side by side cost no more. */
  readonly #slots = new Map<number, number>();

  constructor(store: LineStore, edges: Edges) {
    this.#store = store;
    this.#edges = edges;
  }

  /** Sets the facts that get a row. */
  set(facts: readonly FactEntry[]): void {
    this.#facts = facts;
    this.#isChanged = true;
  }

  /** Starts placing facts once the lines that the view opens with have arrived; before, no range was read. */
  open(): void {
    this.#isOpen = true;
    this.#isChanged = true;
  }

  /** The row of a fact, if it has one. */
  entryOf(id: string): EntryId | undefined {
    const entry = this.#entries.get(id);
    return entry !== undefined && this.#store.facts.has(entry) ? entry : undefined;
  }

  /** Updates the positions. */
  update(): void {
    if (!this.#isOpen || !this.#isDue()) return;
    this.#store.areFactsStale = false;
    this.#isChanged = false;
    this.#slots.clear();
    const placed = inOrder(this.#facts.flatMap((entry) => this.#locateFact(entry)));
    // Resolve the anchors first: indexes move when the first fact is placed.
    const anchors = placed.map(({ slot }) => this.#at(slot));
    this.#removeOthers(placed);
    let last: { readonly anchor: EntryId | undefined; readonly entry: EntryId } | undefined;
    placed.forEach(({ entry }, at) => {
      const anchor = anchors[at];
      const after = last !== undefined && last.anchor === anchor ? last.entry : anchor;
      last = { anchor, entry: this.#put(entry, after) };
    });
    this.#hideMarkers();
  }

  #isDue(): boolean {
    const store = this.#store;
    const basis = [this.#edges.older, this.#edges.newer, store.missing.size];
    const isMoved = basis.some((each, at) => each !== this.#basis[at]);
    this.#basis = basis;
    if (this.#facts.length === 0 && store.facts.size === 0) return false;
    return isMoved || this.#isChanged || store.areFactsStale;
  }

  #locateFact(entry: FactEntry): readonly Placed[] {
    const { fact } = entry;
    const at = positionOf(fact);
    if (fateOf(this.#edges, this.#store.missing, at) !== 'held') return [];
    const slot = this.#slotOf(entry, at);
    return this.#isBeforeMissing(slot) ? [] : [{ fact, slot, entry }];
  }

  /** Whether the log begins with missing lines: everything before them is unread, too. */
  #isBeforeMissing(slot: number): boolean {
    if (slot !== -1) return false;
    const { order, table, missing } = this.#store;
    for (const id of order.from({ chunk: 0, offset: 0 }))
      if (table.kind(id) !== KIND.fact) return missing.has(id);
    return false;
  }

  #slotOf({ fact }: FactEntry, at: Timestamp): number {
    const byTime = this.#slotBefore(this.#store.order.search((id) => this.#isAfter(id, at)));
    const { uid, container, run } = fact.subject;
    if (container === undefined || run === undefined) return byTime;
    const source = this.#store.sources.ofRun(`${uid}/${container}/${run}`);
    if (isStart(fact.kind)) {
      const first = source && this.#store.edgeOf(source.index, 'first');
      return first === undefined ? byTime : Math.min(byTime, this.#slotBeforeEntry(first));
    }
    return fact.kind === 'exited' ? this.#slotOfExit({ uid, container }, fact.at, source, byTime) : byTime;
  }

  #slotOfExit(
    subject: { readonly uid: string; readonly container: string },
    at: Timestamp,
    source: HeldSource | undefined,
    byTime: number,
  ): number {
    const store = this.#store;
    const last = source && store.edgeOf(source.index, 'last');
    const after = last === undefined ? -1 : this.#indexOf(last);
    const nexts = store.sources.about(subject).flatMap((index) => {
      const first = index === source?.index ? undefined : store.edgeOf(index, 'first');
      if (first === undefined || compareTimestamps(store.time(first), at) < 0) return [];
      const slot = this.#slotBeforeEntry(first);
      return slot >= after ? [slot] : [];
    });
    return Math.max(after, Math.min(byTime, ...nexts));
  }

  /** Negative for entries at or before this time. */
  #isAfter(id: EntryId, at: Timestamp): number {
    return compareTimestamps(this.#store.time(id), at) <= 0 ? -1 : 1;
  }

  #indexOf(id: EntryId): number {
    const { chunk, offset } = this.#store.locate(id);
    return this.#store.order.start(chunk) + offset;
  }

  #slotBeforeEntry(id: EntryId): number {
    return this.#slotBefore(this.#store.locate(id));
  }

  /** The index of the last entry before a position that is not a fact. */
  #slotBefore(position: OrderPosition): number {
    const { order, table } = this.#store;
    const start = order.start(position.chunk) + position.offset - 1;
    let index = start;
    for (const id of order.back(position)) {
      const known = this.#slots.get(index);
      if (known !== undefined) {
        index = known;
        break;
      }
      if (table.kind(id) !== KIND.fact) break;
      index--;
    }
    this.#slots.set(start, index);
    return index;
  }

  #at(index: number): EntryId | undefined {
    return index === -1 ? undefined : this.#store.order.atIndex(index);
  }

  #removeOthers(placed: readonly Placed[]): void {
    const wanted = new Set(placed.map(({ fact }) => fact.id));
    for (const [id, entry] of this.#entries) {
      const isHeld = this.#store.facts.has(entry);
      if (isHeld && wanted.has(id)) continue;
      if (isHeld) this.#store.removeOne(entry);
      this.#entries.delete(id);
    }
  }

  /** Puts a fact right after an entry, unless it is already there. */
  #put(entry: FactEntry, after: EntryId | undefined): EntryId {
    const store = this.#store;
    const { id } = entry.fact;
    const known = this.#entries.get(id);
    const at = positionOf(entry.fact);
    if (known === undefined) {
      const added = store.addFact(after, at, entry);
      this.#entries.set(id, added);
      this.#noteSources(entry);
      return added;
    }
    if (store.facts.get(known)?.revision !== entry.revision) store.changeFact(known, entry);
    if (store.entryAfter(after) !== known) store.moveFact(known, after, at);
    return known;
  }

  #noteSources({ fact: { subject } }: FactEntry): void {
    if (subject.run === undefined) return;
    for (const index of this.#store.sources.about(subject)) this.#store.sources.get(index).hasFacts = true;
  }

  #hideMarkers(): void {
    const { markers } = this.#store;
    const reported = new Set<string>();
    for (const { fact, restart } of this.#store.facts.values())
      for (const each of restart === undefined ? [fact] : [fact, restart]) {
        const { kind, reason, subject } = each;
        reported.add(subjectKey(kind, `${subject.uid}/${subject.container}/${subject.run}`, undefined));
        reported.add(subjectKey(kind, `${subject.uid}/${subject.container}`, reason));
      }
    for (const [id, { about }] of markers)
      this.#store.hideMarker(id, about !== undefined && isReported(about, reported));
  }
}

function isReported({ kinds, runs, reason }: MarkerSubject, reported: ReadonlySet<string>): boolean {
  return runs.every((run) => kinds.some((kind) => reported.has(subjectKey(kind, run, reason))));
}

function subjectKey(kind: string, run: string, reason: string | undefined): string {
  return `${kind} ${run} ${reason ?? ''}`;
}
