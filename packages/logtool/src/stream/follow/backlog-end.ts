import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** A log has delivered what it had if it is silent for this long, ms. */
const PAUSE_MS = 250;

/**
 * Notices when resumed containers have delivered what they wrote before: each has answered, and then none delivers older
 * records for a while. A log does not say where its backlog ends. Records written after the start are no backlog.
 */
export class BacklogEnd {
  readonly #clock: Clock;
  readonly #pending: Set<string>;
  readonly #startMs: number;
  readonly #onEnd: () => void;
  #pushes = 0;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** `ids`: the containers. Calls `onEnd` once. */
  constructor(clock: Clock, ids: Iterable<string>, onEnd: () => void) {
    this.#clock = clock;
    this.#pending = new Set(ids);
    this.#startMs = clock.now();
    this.#onEnd = onEnd;
    this.#check();
  }

  /** Notes that a container has answered, or is reported as one that does not. */
  settled(id: string): void {
    this.#pending.delete(id);
    this.#check();
  }

  /** Notes that records came, the last of them written at `atMs` (ms since the epoch). */
  pushed(atMs: number): void {
    if (atMs < this.#startMs) this.#pushes++;
  }

  close(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #check(): void {
    if (this.#isOver || this.#pending.size > 0) return;
    const before = this.#pushes;
    this.#cancel?.();
    this.#cancel = this.#clock.after(PAUSE_MS, () => {
      if (this.#pushes !== before) return this.#check();
      this.#isOver = true;
      this.#onEnd();
    });
  }
}
