import type { Frame } from '../domain/frame.ts';
import type { SourceEvent } from '../domain/source-event.ts';

/** What resolution says, taken event by event; remembers whether more containers may come. */
export class SourceFeed {
  readonly #iterator: AsyncIterator<SourceEvent>;
  #open = true;

  constructor(sources: AsyncIterable<SourceEvent>) {
    this.#iterator = sources[Symbol.asyncIterator]();
  }

  /** Whether containers may still be added. */
  get open(): boolean {
    return this.#open;
  }

  /** The next event; undefined when there will be none. */
  async next(): Promise<SourceEvent | undefined> {
    const result = await this.#iterator.next();
    if (result.done === true) {
      this.#open = false;
      return undefined;
    }
    const event = result.value;
    if (event.type === 'synced' || event.type === 'closing') this.#open = event.open;
    return event;
  }

  /** Not awaited to its end: a generator that waits for the cluster ends by the signal alone. */
  close(): void {
    this.#iterator.return?.().catch(() => undefined);
  }
}

/** A source argument that failed as a whole has no container to be named by. */
export function failedNotice(event: Extract<SourceEvent, { type: 'failed' }>): Frame {
  return { type: 'notice', code: 'source-failed', text: event.error.what, error: event.error };
}
