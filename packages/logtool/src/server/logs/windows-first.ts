import { setMaxListeners } from 'node:events';
import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** For how long a count gives way to one window: a container may not answer for much longer. */
const MAX_WAIT_MS = 1_000;

/**
 * The windows that are being read, by session. A count gives way to those of its session: both read the same logs, and
 * the reader waits for the window.
 */
export class WindowsFirst {
  readonly #clock: Clock;
  /** By session: until when each window goes first (ms of the steady clock). */
  readonly #running = new Map<string, Set<{ readonly untilMs: number }>>();
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a window of a session is being read; returns a function that notes its end. */
  begin(session: string): () => void {
    const window = { untilMs: this.#clock.steady() + MAX_WAIT_MS };
    const windows = this.#running.get(session) ?? new Set();
    this.#running.set(session, windows.add(window));
    return () => {
      windows.delete(window);
      if (windows.size > 0) return;
      if (this.#running.get(session) === windows) this.#running.delete(session);
      for (const wake of this.#waiting) wake();
    };
  }

  /** Resolves when a count of the session may read on; immediately if the signal is aborted. */
  async turn(session: string, signal: AbortSignal): Promise<void> {
    // Each container of a count waits on the same signal.
    setMaxListeners(0, signal);
    for (;;) {
      const untilMs = Math.max(0, ...[...(this.#running.get(session) ?? [])].map((window) => window.untilMs));
      const restMs = untilMs - this.#clock.steady();
      if (restMs <= 0 || signal.aborted) return;
      await this.#change(restMs, signal);
    }
  }

  #change(restMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.#clock.after(restMs, wake);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
