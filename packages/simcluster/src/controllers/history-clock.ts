import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';

interface Timer {
  readonly at: number;
  readonly id: number;
  readonly callback: () => void;
  canceled: boolean;
  /** Cancels the timer on the base clock, once it waits there. */
  moved: (() => void) | undefined;
}

/**
 * A clock that begins in the past, plays the history at once, and then follows the base clock. The controllers run
 * through the backfill as in real time, so restarts, back-offs and rollouts are consistent.
 */
export class HistoryClock implements Clock {
  readonly #base: Clock;
  readonly #startMs: number;
  #nowMs: number;
  #live = false;
  #timers: Timer[] = [];
  #ids = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  constructor(base: Clock, backfillMs: number) {
    this.#base = base;
    this.#startMs = base.now();
    this.#nowMs = this.#startMs - backfillMs;
  }

  /** The time when serving starts, ms since the epoch. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Whether time passes while work runs: work may then be late, and must yield to other work. */
  get real(): boolean {
    return this.#live && this.#base === systemClock;
  }

  /** Whether the history is over. */
  get live(): boolean {
    return this.#live;
  }

  now(): number {
    return this.#live ? this.#base.now() : this.#nowMs;
  }

  steady(): number {
    return this.now();
  }

  after(delayMs: number, callback: () => void): () => void {
    if (this.#live) return this.#afterLive(delayMs, callback);
    const timer: Timer = {
      at: this.#nowMs + Math.max(0, delayMs),
      id: this.#ids++,
      callback,
      canceled: false,
      moved: undefined,
    };
    push(this.#timers, timer);
    return () => {
      timer.canceled = true;
      timer.moved?.();
    };
  }

  /** Runs every timer up to the start of serving, with `settle` after each; moves the rest to the base clock. */
  async playHistory(settle: () => void): Promise<void> {
    settle();
    for (let played = 0; ; played++) {
      const timer = this.#timers[0];
      if (timer === undefined || timer.at > this.#startMs) break;
      pop(this.#timers);
      if (timer.canceled) continue;
      this.#nowMs = timer.at;
      timer.callback();
      settle();
      if (played % 5000 === 4999) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#nowMs = this.#startMs;
    this.#live = true;
    const waiting = this.#timers.filter((timer) => !timer.canceled).sort(byTime);
    this.#timers = [];
    for (const timer of waiting) {
      timer.moved = this.#afterLive(timer.at - this.#base.now(), timer.callback);
    }
  }

  /** Cancels every timer and accepts no more. */
  close(): void {
    this.#closed = true;
    for (const cancel of [...this.#waiting]) cancel();
  }

  #afterLive(delayMs: number, callback: () => void): () => void {
    if (this.#closed) return () => undefined;
    const cancelBelow = this.#base.after(Math.max(0, delayMs), () => {
      this.#waiting.delete(cancel);
      callback();
    });
    const cancel = () => {
      this.#waiting.delete(cancel);
      cancelBelow();
    };
    this.#waiting.add(cancel);
    return cancel;
  }
}

function byTime(a: Timer, b: Timer): number {
  return a.at - b.at || a.id - b.id;
}

/** Adds a timer to a binary heap with the earliest timer first. */
function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (byTime(heap[parent] as Timer, timer) <= 0) break;
    heap[at] = heap[parent] as Timer;
    at = parent;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && byTime(heap[child + 1] as Timer, heap[child] as Timer) < 0) child++;
    if (byTime(last, heap[child] as Timer) <= 0) break;
    heap[at] = heap[child] as Timer;
    at = child;
  }
  heap[at] = last;
}
