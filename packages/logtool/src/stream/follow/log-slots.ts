import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** How long one container is followed while others wait for their turn. */
export const TURN_MS = 3_000;

/** Permission to hold one connection open. */
interface LogSlot {
  release(): void;
}

interface Waiting {
  readonly onTurn: () => void;
  readonly isUrgent: () => boolean;
}

interface Holder {
  readonly onTurnOver: () => void;
  readonly isUrgent: () => boolean;
  isAsked: boolean;
  cancel: (() => void) | undefined;
}

/**
 * Limits the simultaneous connections. If more are wanted, holders must pass theirs on after a while, so that no
 * container is left out forever. An urgent log, which will soon disappear, comes first: it does not wait for its turn,
 * and keeps its connection while nothing as urgent waits.
 */
export class LogSlots {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #holders = new Set<Holder>();
  /** Slots taken, or promised to a waiting requester. */
  #used = 0;
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = Math.max(1, limit);
  }

  /** Resolves when a connection may be opened; calls `onTurnOver` when it should be closed. Rejects on an abort. */
  async take(onTurnOver: () => void, signal: AbortSignal, isUrgent = () => false): Promise<LogSlot> {
    if (signal.aborted) throw signal.reason;
    if (this.#used >= this.#limit) await this.#queue(signal, isUrgent);
    else this.#used++;
    const holder: Holder = { onTurnOver, isUrgent, isAsked: false, cancel: undefined };
    this.#holders.add(holder);
    this.#arm();
    return {
      release: () => {
        holder.cancel?.();
        if (!this.#holders.delete(holder)) return;
        const first = this.#waiting.findIndex((each) => each.isUrgent());
        const [next] = this.#waiting.splice(Math.max(first, 0), 1);
        if (next === undefined) this.#used--;
        else next.onTurn();
      },
    };
  }

  /**
   * Makes room for waiting logs that became urgent: as many holders that are not urgent release their connection now.
   */
  hurry(): void {
    let wanted = this.#waiting.filter(({ isUrgent }) => isUrgent()).length;
    for (const { isAsked } of this.#holders) if (isAsked) wanted--;
    for (const holder of this.#holders)
      if (wanted > 0 && !holder.isAsked && !holder.isUrgent()) {
        wanted--;
        this.#ask(holder);
      }
  }

  #queue(signal: AbortSignal, isUrgent: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting = { onTurn, isUrgent };
      const onAbort = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index !== -1) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#arm();
      if (isUrgent()) this.hurry();
    });
  }

  /** Ends turns only while others wait. */
  #arm(): void {
    if (this.#waiting.length === 0) return;
    for (const holder of this.#holders) {
      if (holder.isAsked) continue;
      holder.cancel ??= this.#clock.after(TURN_MS, () => {
        holder.cancel = undefined;
        const hasRival = this.#waiting.some(({ isUrgent }) => !holder.isUrgent() || isUrgent());
        if (hasRival) this.#ask(holder);
        else this.#arm();
      });
    }
  }

  #ask(holder: Holder): void {
    holder.cancel?.();
    holder.cancel = undefined;
    holder.isAsked = true;
    holder.onTurnOver();
  }
}
