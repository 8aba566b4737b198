import type { Clock } from '../domain/clock.ts';

/** How long one container is followed while others wait for their turn. */
export const TURN_MS = 3_000;

/** The right to hold one connection open. */
export interface LogSlot {
  release(): void;
}

interface Holder {
  readonly onTurnOver: () => void;
  cancel: (() => void) | undefined;
}

/**
 * Connections that may be open at once. Where more are wanted, those that hold one are asked to hand it on after a
 * while, so that no container is left out for ever.
 */
export class LogSlots {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #holders = new Set<Holder>();
  /** Taken, or promised to one that waited. */
  #used = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = Math.max(1, limit);
  }

  /** Resolves when a connection may be opened; `onTurnOver` is called when it should be closed. Rejects on an abort. */
  async take(onTurnOver: () => void, signal: AbortSignal): Promise<LogSlot> {
    if (signal.aborted) throw signal.reason;
    if (this.#used >= this.#limit) await this.#queue(signal);
    else this.#used++;
    const holder: Holder = { onTurnOver, cancel: undefined };
    this.#holders.add(holder);
    this.#arm();
    return {
      release: () => {
        holder.cancel?.();
        if (!this.#holders.delete(holder)) return;
        const next = this.#waiting.shift();
        if (next === undefined) this.#used--;
        else next();
      },
    };
  }

  #queue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        const index = this.#waiting.indexOf(onTurn);
        if (index !== -1) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(onTurn);
      this.#arm();
    });
  }

  /** Turns end only while somebody waits. */
  #arm(): void {
    if (this.#waiting.length === 0) return;
    for (const holder of this.#holders) {
      holder.cancel ??= this.#clock.after(TURN_MS, () => {
        holder.cancel = undefined;
        if (this.#waiting.length > 0) holder.onTurnOver();
      });
    }
  }
}
