import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareFacts, type Fact, isStart } from '../../domain/facts/fact.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { FactFrame } from '../../happenings/fact-feed.ts';
import type { PrintedFrame } from '../output/limit-bytes.ts';

/** How long a start waits for the first record of its run, and an exit for the last record of its run. */
const START_MS = 1_000;
const EXIT_MS = 5_000;

/** After these states of a container, its run writes no more records. */
const ENDED: readonly string[] = ['restarted', 'finished', 'left', 'waiting', 'failed'];

interface HeldFact {
  readonly fact: Fact;
  /** Undefined: it waits only for the held facts that come before it. */
  readonly dueMs: number | undefined;
}

type Frames<F> = AsyncIterator<F, void>;

/** The next record frame, fact frame or error, whichever comes first. */
type Next =
  | { readonly of: 'records'; readonly result: IteratorResult<PrintedFrame, void> }
  | { readonly of: 'facts'; readonly result: IteratorResult<FactFrame, void> }
  | { readonly error: unknown };

/**
 * The live part of a follow. Yields facts as they arrive, except that an exit follows the last record of its
 * run, and a start precedes the first: the cluster may report either earlier or later than the log. Facts that come
 * after one that waits, in the order of facts, wait with it.
 */
export class LiveFacts {
  readonly #records: Frames<PrintedFrame>;
  readonly #facts: Frames<FactFrame>;
  readonly #clock: Clock;
  readonly #isWanted: (fact: Fact) => boolean;
  readonly #ready: Next[] = [];
  #wake: (() => void) | undefined;
  #held: HeldFact[] = [];
  /** Containers (ContainerTarget.id) whose run has ended and that have not written since. */
  readonly #ended = new Set<string>();

  constructor(
    records: Frames<PrintedFrame>,
    facts: Frames<FactFrame>,
    clock: Clock,
    isWanted: (fact: Fact) => boolean,
  ) {
    this.#records = records;
    this.#facts = facts;
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  async *frames(): AsyncGenerator<PrintedFrame, void, undefined> {
    this.#pullFacts();
    this.#pullRecords();
    for (;;) {
      const next = this.#ready.shift();
      if (next === undefined) {
        await this.#wait();
        yield* this.#releaseDue();
        continue;
      }
      if ('error' in next) throw next.error;
      if (next.of === 'facts') {
        if (next.result.done === true) continue;
        yield* this.#takeFacts(next.result.value);
        this.#pullFacts();
      } else {
        if (next.result.done === true) return yield* this.#release(() => true);
        yield* this.#takeFrame(next.result.value);
        this.#pullRecords();
      }
    }
  }

  /**
   * Requests the next records only after the consumer has taken the last ones: a slow reader delays only
   * itself.
   */
  #pullRecords(): void {
    this.#records.next().then(
      (result) => this.#put({ of: 'records', result }),
      (error: unknown) => this.#put({ error }),
    );
  }

  #pullFacts(): void {
    this.#facts.next().then(
      (result) => this.#put({ of: 'facts', result }),
      (error: unknown) => this.#put({ error }),
    );
  }

  #put(next: Next): void {
    this.#ready.push(next);
    this.#wake?.();
  }

  /** Waits until something arrives, or the first held fact is due. */
  async #wait(): Promise<void> {
    let cancel = () => {};
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const now = this.#clock.steady();
      const dues = this.#held.flatMap((held) =>
        held.dueMs === undefined || this.#isAfterExit(held) ? [] : held.dueMs,
      );
      const first = Math.min(...dues);
      if (first !== Number.POSITIVE_INFINITY) cancel = this.#clock.after(Math.max(0, first - now), resolve);
    });
    cancel();
    this.#wake = undefined;
  }

  *#takeFacts(frame: FactFrame): Generator<PrintedFrame, void, undefined> {
    if (frame.type === 'notice') yield frame;
    if (frame.type !== 'facts') return;
    for (const fact of frame.facts) {
      if (!this.#isWanted(fact)) continue;
      const waitMs = this.#waitOf(fact);
      if (waitMs > 0) this.#held.push({ fact, dueMs: this.#clock.steady() + waitMs });
      else if (this.#held.some((held) => isBefore(held, fact))) this.#held.push({ fact, dueMs: undefined });
      else yield { type: 'fact', fact };
    }
  }

  readonly #isDue = (held: HeldFact): boolean =>
    held.dueMs !== undefined && held.dueMs <= this.#clock.steady() && !this.#isAfterExit(held);

  /** Whether the exit of the run before a start still waits. */
  #isAfterExit({ fact }: HeldFact): boolean {
    if (!isStart(fact.kind)) return false;
    return this.#held.some(
      (other) =>
        other.fact.kind === 'exited' &&
        containerOf(other.fact) === containerOf(fact) &&
        isBefore(other, fact),
    );
  }

  #waitOf(fact: Fact): number {
    if (isStart(fact.kind)) return START_MS;
    return fact.kind === 'exited' && !this.#ended.has(containerOf(fact)) ? EXIT_MS : 0;
  }

  *#takeFrame(frame: PrintedFrame): Generator<PrintedFrame, void, undefined> {
    if (frame.type === 'source' && ENDED.includes(frame.state)) {
      const ids = new Set([frame.target.id, ...(frame.otherIds ?? [])]);
      for (const id of ids) this.#ended.add(id);
      yield* this.#release(({ fact }) => fact.kind === 'exited' && ids.has(containerOf(fact)));
    }
    if (frame.type === 'records') yield* this.#takeRecords(frame.records);
    else yield frame;
  }

  *#takeRecords(records: readonly LogRecord[]): Generator<PrintedFrame, void, undefined> {
    let from = 0;
    for (const [index, { run }] of records.entries()) {
      this.#ended.delete(run.target.id);
      if (this.#held.length === 0) continue;
      const before = [
        ...this.#release(
          ({ fact, dueMs }) =>
            dueMs !== undefined &&
            containerOf(fact) === run.target.id &&
            isStart(fact.kind) === (fact.subject.run === run.key.containerId),
        ),
      ];
      if (before.length === 0) continue;
      if (index > from) yield { type: 'records', records: records.slice(from, index) };
      from = index;
      yield* before;
    }
    yield { type: 'records', records: from === 0 ? records : records.slice(from) };
  }

  /** Yields what has waited long enough; an exit lets the start after it go. */
  *#releaseDue(): Generator<PrintedFrame, void, undefined> {
    while (this.#held.some(this.#isDue)) yield* this.#release(this.#isDue);
  }

  *#release(isDue: (held: HeldFact) => boolean): Generator<PrintedFrame, void, undefined> {
    const due = new Set(this.#held.filter(isDue));
    if (due.size === 0) return;
    const waiting = this.#held.filter((held) => held.dueMs !== undefined && !due.has(held));
    for (const held of this.#held)
      if (held.dueMs === undefined && !waiting.some((other) => isBefore(other, held.fact))) due.add(held);
    this.#held = this.#held.filter((held) => !due.has(held));
    const facts = [...due].map(({ fact }) => fact).sort(compareFacts);
    for (const fact of facts) yield { type: 'fact', fact };
  }
}

function isBefore({ fact }: HeldFact, other: Fact): boolean {
  return compareFacts(fact, other) < 0;
}

function containerOf({ subject }: Fact): string {
  return `${subject.uid}/${subject.container ?? ''}`;
}
