import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Fact, FactOf } from '../domain/facts/fact.ts';
import { foldInto, hasMoved, hasStatus, StatusIndex } from '../domain/facts/fold-events.ts';

/** How long an Event waits for the status that reports the same: a kubelet may write that later. */
const WAIT_MS = 3_000;
/** Number of the latest facts to compare Events with. */
const MAX_STATUSES = 1_000;
/** Maximum waiting Events; further ones do not wait. */
const MAX_HELD = 1_000;

interface Given {
  readonly fact: Fact;
  /** ID of the Event that reports the same. */
  readonly event: string | undefined;
}

/**
 * Merges facts about the same occurrence as they arrive: the status and the Event come in either order,
 * shortly after each other.
 */
export class LiveFold {
  readonly #clock: Clock;
  readonly #give: (facts: readonly Fact[]) => void;
  readonly #given = new Map<string, Given>();
  readonly #held = new Map<string, { readonly event: FactOf<'event'>; readonly cancel: () => void }>();

  constructor(clock: Clock, give: (facts: readonly Fact[]) => void) {
    this.#clock = clock;
    this.#give = give;
  }

  /** Takes new facts, and yields those that are neither waiting Events nor repetitions of a status. */
  take(facts: readonly Fact[]): void {
    const statuses = facts.filter(({ kind }) => kind !== 'event');
    for (const status of statuses) this.#remember({ fact: status, event: undefined });
    const waited = [...this.#held.values()].map(({ event }) => event);
    const events = facts.filter((fact) => fact.kind === 'event');
    const index = new StatusIndex([...this.#given.values()].map(({ fact }) => fact));
    const rest = [...waited, ...events].flatMap((event) => this.#fold(event, index, statuses));
    const now = statuses.map(({ id }) => this.#given.get(id)?.fact).filter((fact) => fact !== undefined);
    if (now.length + rest.length > 0) this.#give([...now, ...rest]);
  }

  /** Takes facts that were yielded already: later Events may report the same. */
  know(facts: readonly Fact[]): void {
    for (const fact of facts) if (fact.kind !== 'event') this.#remember({ fact, event: undefined });
  }

  /** Cancels all timers. */
  stop(): void {
    for (const { cancel } of this.#held.values()) cancel();
    this.#held.clear();
  }

  /** Returns what to yield in addition to the new statuses. */
  #fold(event: FactOf<'event'>, index: StatusIndex, fresh: readonly Fact[]): readonly Fact[] {
    const status = index.statusOf(event);
    const given = status && this.#given.get(status.id);
    if (given !== undefined && (given.event === undefined || given.event === event.id)) {
      this.#letGo(event.id);
      const fact = foldInto(given.fact, event);
      this.#remember({ fact, event: event.id });
      const isFresh = fresh.some(({ id }) => id === fact.id);
      return !isFresh && hasMoved(given.fact, fact) ? [fact] : [];
    }
    if (!hasStatus(event) || this.#held.size >= MAX_HELD) return [event];
    this.#hold(event);
    return [];
  }

  #hold(event: FactOf<'event'>): void {
    // A series that has continued keeps its original wait.
    const held = this.#held.get(event.id);
    const flush = () => {
      const last = this.#held.get(event.id);
      this.#held.delete(event.id);
      if (last !== undefined) this.#give([last.event]);
    };
    this.#held.set(event.id, { event, cancel: held?.cancel ?? this.#clock.after(WAIT_MS, flush) });
  }

  #letGo(id: string): void {
    this.#held.get(id)?.cancel();
    this.#held.delete(id);
  }

  #remember(given: Given): void {
    const known = this.#given.get(given.fact.id);
    this.#given.delete(given.fact.id);
    this.#given.set(given.fact.id, { ...given, event: given.event ?? known?.event });
    const [oldest] = this.#given.keys();
    if (this.#given.size > MAX_STATUSES && oldest !== undefined) this.#given.delete(oldest);
  }
}
