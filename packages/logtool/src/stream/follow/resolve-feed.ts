import type { Frame } from '../../domain/frame.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';

/** Events that may wait while a window is read, in addition to those that wait at their source. */
const MAX_AHEAD = 100;

/** The events of resolution, taken one by one; remembers whether more containers may come. */
export class ResolveFeed {
  readonly #iterator: AsyncIterator<ResolveEvent>;
  #open = true;
  readonly #ahead: Promise<IteratorResult<ResolveEvent>>[] = [];

  constructor(sources: AsyncIterable<ResolveEvent>) {
    this.#iterator = sources[Symbol.asyncIterator]();
  }

  /** Whether more containers may come. */
  get open(): boolean {
    return this.#open;
  }

  /** Returns the next event; undefined at the end. */
  async next(): Promise<ResolveEvent | undefined> {
    const result = await (this.#ahead.shift() ?? this.#iterator.next());
    if (result.done === true) {
      this.#open = false;
      return undefined;
    }
    const event = result.value;
    if (event.type === 'synced' || event.type === 'closing') this.#open = event.open;
    return event;
  }

  /**
   * Takes events before they are requested: notices are reported as they pass, and an outage matters while it lasts.
   */
  readAhead(): void {
    const next = this.#iterator.next();
    this.#ahead.push(next);
    next.then(
      ({ done }) => {
        if (done !== true && this.#ahead.length > 0 && this.#ahead.length < MAX_AHEAD) this.readAhead();
      },
      // The caller that requests the event gets the error.
      () => undefined,
    );
  }

  /** Does not wait for the end: a generator that waits for the cluster ends only by the signal. */
  close(): void {
    this.#iterator.return?.().catch(() => undefined);
  }
}

/** Returns a notice for a source argument that failed as a whole: it has no container to name. */
export function failedNotice(event: Extract<ResolveEvent, { type: 'failed' }>): Frame {
  return { type: 'notice', code: 'source-failed', error: event.error };
}
