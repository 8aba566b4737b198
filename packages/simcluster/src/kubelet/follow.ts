import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogFile, LogWatcher, ReadableLog } from './log-file.ts';

/** How often the kubelet checks whether a followed container still runs (logForceCheckPeriod), ms. */
export const FOLLOW_CHECK_MS = 1000;

/** An open log file; `file` changes when a follow continues in the next one. */
export interface OpenedLog {
  file: LogFile;
  /** Undefined if the response ends at the end of the file. */
  readonly follow: FollowedLog | undefined;
}

/** Opens the newest file of a log and begins to follow it, without a rotation in between. */
export async function openFollowed(log: ReadableLog, clock: Clock, signal: AbortSignal): Promise<OpenedLog> {
  const file = await log.open();
  return { file, follow: new FollowedLog(log, clock, signal) };
}

/**
 * The waiting side of a follow; the runtime in this process wakes it. As in the kubelet, it notices the end of the
 * container up to a second later, and reads a renamed file only up to its length at that time: the follow loses what
 * the runtime still writes to it, and also whole files after several quick rotations.
 */
export class FollowedLog implements LogWatcher {
  readonly #log: ReadableLog;
  readonly #clock: Clock;
  readonly #unwatch: () => void;
  readonly #signal: AbortSignal;
  #changed = false;
  #endSeen: boolean;
  #stopped = false;
  #endOfFile: number | undefined;
  #waiter: ((result: 'changed' | 'end') => void) | undefined;
  #waitingSinceMs = 0;
  #cancelCheck: (() => void) | undefined;

  constructor(log: ReadableLog, clock: Clock, signal: AbortSignal) {
    this.#log = log;
    this.#clock = clock;
    this.#endSeen = log.ended;
    this.#signal = signal;
    this.#unwatch = log.watch(this);
    signal.addEventListener('abort', this.#stop, { once: true });
    if (signal.aborted) this.#stop();
  }

  /** Returns the final end of the open file, once it was rotated. */
  endOfFile(): number | undefined {
    return this.#endOfFile;
  }

  /** Opens the newest file after a rotation; undefined if it was removed. */
  async openNext(): Promise<LogFile | undefined> {
    try {
      const file = await this.#log.open();
      this.#endOfFile = undefined;
      return file;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /**
   * Resolves when there may be more to read; with 'end' when the run has ended and everything was read, or on a stop.
   */
  wait(): Promise<'changed' | 'end'> {
    if (this.#stopped) return Promise.resolve('end');
    if (this.#changed) {
      this.#changed = false;
      return Promise.resolve('changed');
    }
    if (this.#endSeen) return Promise.resolve('end');
    this.#waitingSinceMs = this.#clock.now();
    return new Promise((resolve) => {
      this.#waiter = resolve;
    });
  }

  written(): void {
    this.#changed = true;
    this.#wake();
  }

  rotated(endOfOldFile: number): void {
    this.#endOfFile ??= endOfOldFile;
    this.#changed = true;
    this.#wake();
  }

  ended(): void {
    const waitedMs = this.#waiter === undefined ? 0 : this.#clock.now() - this.#waitingSinceMs;
    this.#cancelCheck = this.#clock.after(FOLLOW_CHECK_MS - (waitedMs % FOLLOW_CHECK_MS), () => {
      this.#endSeen = true;
      this.#changed = true;
      this.#wake();
    });
  }

  close(): void {
    this.#unwatch();
    this.#cancelCheck?.();
    this.#signal.removeEventListener('abort', this.#stop);
  }

  readonly #stop = () => {
    this.#stopped = true;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.('end');
  };

  #wake(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    this.#waiter = undefined;
    this.#changed = false;
    waiter('changed');
  }
}

/** Whether a file operation failed because the file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
