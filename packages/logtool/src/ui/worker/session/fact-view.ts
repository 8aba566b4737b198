import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import { positionOf } from '../../../domain/facts/fact.ts';
import { FactStream } from '../intake/fact-stream.ts';
import type { FactChoice, FactLabel, FactsStatus, RolloutSpan, ViewPlan } from '../protocol/protocol.ts';
import { rolloutsOf } from '../search/rollout-spans.ts';
import type { HeldLog } from '../store/held-log.ts';
import { KnownFacts } from '../store/known-facts.ts';
import type { FactEntry } from '../store/line-store.ts';

export interface FactViewOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly nextQuery: () => number;
  /** Called when rows, counts or the reading state change. */
  readonly onChange: () => void;
  readonly onSignedOut: (error: WireError) => void;
}

const NOTHING_READ = {
  state: 'off',
  isStreaming: false,
  error: undefined,
  notices: [],
  eventsSinceMs: undefined,
} as const;

/** The facts about what a view shows: reads them over their own stream and adds rows for them among its lines. */
export class FactView {
  readonly #options: FactViewOptions;
  #known = new KnownFacts();
  #choice: FactChoice = { show: 'none', hiddenLabels: [] };
  #plan: ViewPlan | undefined;
  #stream: FactStream | undefined;
  #log: HeldLog | undefined;
  #isPaused = false;
  #isResting = false;
  #isYielding = false;
  #rows: readonly FactEntry[] = [];
  #labels: readonly FactLabel[] = [];
  #rollouts: readonly RolloutSpan[] = [];
  /** The inputs that the rows were made from. */
  #basis: readonly unknown[] = [];
  #placedIn: HeldLog | undefined;
  /** Those who wait for a row. */
  readonly #waiting = new Set<() => void>();

  constructor(options: FactViewOptions) {
    this.#options = options;
  }

  /** Attaches another log, which has no rows of facts yet. */
  attach(log: HeldLog): void {
    this.#log = log;
    log.store.positionFacts = () => {
      this.#update();
      log.factPositions.update();
    };
  }

  setPlan(plan: ViewPlan): void {
    const before = this.#plan;
    this.#plan = plan;
    if (before !== undefined && textOf(before) === textOf(plan)) return;
    const isOtherRange = before === undefined || rangeOf(before) !== rangeOf(plan);
    if (isOtherRange) this.#known = new KnownFacts();
    else this.#known.beginAnew();
    this.#open();
  }

  setChoice(choice: FactChoice): void {
    const wasOff = this.#choice.show === 'none';
    this.#choice = choice;
    if (choice.show === 'none') this.#close();
    else if (wasOff) this.#open();
    this.#options.onChange();
  }

  /** While paused, arriving facts get no row. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
  }

  /** Rests the connections of the whole view, or resumes them. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.#stream?.rest(this.#isAtRest);
  }

  /** Rests the connection of the facts only; lines continue. */
  restFacts(isResting: boolean): void {
    this.#isYielding = isResting;
    this.#stream?.rest(this.#isAtRest);
    this.#options.onChange();
  }

  /** Returns the row that shows a fact, its own or that of the exit before it, once all facts are read. */
  rowOf(id: string): Promise<FactEntry | undefined> {
    const known = this.#known;
    return new Promise((resolve) => {
      const check = () => {
        const row = this.rows.find(({ fact, restart }) => fact.id === id || restart?.id === id);
        const isReading = this.#known === known && this.#stream?.reading.state === 'reading';
        if (row === undefined && isReading) return;
        this.#waiting.delete(check);
        resolve(row);
      };
      this.#waiting.add(check);
      check();
    });
  }

  get #isAtRest(): boolean {
    return this.#isResting || this.#isYielding;
  }

  retryNow(): void {
    this.#stream?.retryNow();
  }

  close(): void {
    this.#close();
  }

  get status(): Omit<FactsStatus, 'rows' | 'ticks'> {
    this.#update();
    const reading = this.#stream?.reading ?? NOTHING_READ;
    return {
      ...reading,
      isResting: this.#isYielding,
      isCut: this.#known.isCut,
      labels: this.#labels,
      rollouts: this.#rollouts,
    };
  }

  /** The facts that get a row, in order, whether or not lines are loaded at their times. */
  get rows(): readonly FactEntry[] {
    this.#update();
    return this.#rows;
  }

  /** The nearest fact after or before a time that has no row because no line is loaded there. */
  unplaced(from: Timestamp | undefined, direction: 'next' | 'previous'): FactEntry | undefined {
    const { factPositions } = this.#log ?? {};
    const isBeyond = ({ fact }: FactEntry) => {
      if (factPositions?.entryOf(fact.id) !== undefined) return false;
      const order = from === undefined ? 0 : compareTimestamps(positionOf(fact), from);
      return from === undefined || (direction === 'next' ? order > 0 : order < 0);
    };
    return direction === 'next' ? this.rows.find(isBeyond) : this.rows.findLast(isBeyond);
  }

  #open(): void {
    this.#stream?.close();
    this.#stream = undefined;
    const plan = this.#plan;
    this.#checkWaiting();
    if (plan === undefined || this.#choice.show === 'none' || plan.sources.length === 0) return;
    const known = this.#known;
    this.#stream = new FactStream({
      ...this.#options,
      plan,
      isResting: this.#isAtRest,
      onFacts: (facts) => known.take(facts),
      onRead: () => known.read(),
      onChange: () => {
        this.#checkWaiting();
        this.#options.onChange();
      },
    });
  }

  #close(): void {
    this.#stream?.close();
    this.#stream = undefined;
    this.#checkWaiting();
  }

  #checkWaiting(): void {
    for (const check of [...this.#waiting]) check();
  }

  #update(): void {
    const log = this.#log;
    if (this.#isPaused && this.#placedIn === log) return;
    const basis = [this.#known, this.#known.version, this.#choice];
    const isSame = basis.every((each, at) => each === this.#basis[at]);
    if (isSame && this.#placedIn === log) return;
    if (!isSame) {
      this.#rows = this.#known.rows(this.#choice);
      this.#labels = this.#known.labels(this.#choice);
      this.#rollouts = rolloutsOf(this.#rows);
    }
    this.#basis = basis;
    this.#placedIn = log;
    log?.factPositions.set(this.#rows);
  }
}

function rangeOf({ context, from, to }: ViewPlan): string {
  return JSON.stringify([context, from?.kind, from?.at, to?.kind, to?.at]);
}

function textOf(plan: ViewPlan): string {
  return JSON.stringify([rangeOf(plan), plan.sources, plan.follow]);
}
