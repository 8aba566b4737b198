import type { FSWatcher } from 'node:fs';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LocalFolder } from '../files/local-folder.ts';

/** How often a folder is inspected, because the system may not report all of its changes. */
const POLL_MS = 1000;

export interface ChangesOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called if the system does not report changes of the folder, once: then only inspections find them. */
  readonly onUnwatched: (error: unknown) => void;
}

/**
 * Changes of a folder, as the system reports them and, because it may not report each, once a second. When names may have
 * changed, it inspects the folder, also while nobody waits: a reader that is slow must not miss what becomes of the files.
 */
export class FolderChanges {
  readonly #options: ChangesOptions;
  readonly #inspect: () => Promise<void>;
  #watcher: FSWatcher | undefined;
  #count = 0;
  #waiting: (() => void) | undefined;
  #inspecting: Promise<void> | undefined;
  #mustInspect = false;
  #failure: { readonly error: unknown } | undefined;
  #isClosed = false;
  #cancelPoll: () => void = () => {};

  private constructor(inspect: () => Promise<void>, options: ChangesOptions) {
    this.#inspect = inspect;
    this.#options = options;
    options.signal.addEventListener('abort', this.#wake);
  }

  /** Begins to watch, and inspects. `inspect` is not called twice at a time. */
  static async watch(
    folder: LocalFolder,
    inspect: () => Promise<void>,
    options: ChangesOptions,
  ): Promise<FolderChanges> {
    const changes = new FolderChanges(inspect, options);
    try {
      changes.#watcher = await folder.watch(changes.#onEvent);
      changes.#watcher?.on('error', options.onUnwatched);
    } catch (error) {
      options.onUnwatched(error);
    }
    changes.#inspectSoon();
    return changes;
  }

  /** Number of changes so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Resolves once there are more changes than that, or after `inMs`. Throws what `inspect` threw, or the signal's reason. One
   * waits at a time.
   */
  async after(count: number, inMs: number | undefined): Promise<void> {
    const { clock, signal } = this.#options;
    if (this.#count === count && !signal.aborted) {
      const cancel = inMs === undefined ? undefined : clock.after(inMs, this.#wake);
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
      cancel?.();
    }
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Ends all of it, and waits for an inspection that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watcher?.close();
    this.#cancelPoll();
    this.#options.signal.removeEventListener('abort', this.#wake);
    await this.#inspecting;
  }

  readonly #onEvent = (event: 'rename' | 'change') => {
    if (event === 'rename') this.#inspectSoon();
    else this.#changed();
  };

  readonly #wake = () => {
    this.#waiting?.();
    this.#waiting = undefined;
  };

  #changed(): void {
    this.#count++;
    this.#wake();
  }

  #inspectSoon(): void {
    this.#mustInspect = true;
    this.#inspecting ??= this.#inspectNow();
  }

  /** Inspects until nothing has changed meanwhile. */
  async #inspectNow(): Promise<void> {
    this.#cancelPoll();
    try {
      while (this.#mustInspect && !this.#isClosed) {
        this.#mustInspect = false;
        await this.#inspect();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#inspecting = undefined;
    this.#changed();
    if (this.#isClosed || this.#failure !== undefined) return;
    this.#cancelPoll = this.#options.clock.after(POLL_MS, () => this.#inspectSoon());
  }
}
