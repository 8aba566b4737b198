import type { EntryId } from '../../worker/protocol/protocol.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { LogScroller } from './log-scroller.ts';

interface Before {
  readonly position: LogScroller['position'];
  readonly isFollowing: boolean;
}

/** Shows all lines around one, regardless of filters, and later returns to the previous view. */
export class Surroundings {
  readonly #worker: LogWorker;
  readonly #scroller: LogScroller;
  #before: Before | undefined;

  constructor(worker: LogWorker, scroller: LogScroller) {
    this.#worker = worker;
    this.#scroller = scroller;
  }

  begin(entry: EntryId, isFollowing: boolean): void {
    this.#before ??= { position: this.#scroller.position, isFollowing };
    this.#worker.send({ type: 'around', entry });
    this.#scroller.goTo(entry, 'middle', { inOtherRows: true });
  }

  /** Restores the previous view. Returns true if it followed the newest line. */
  end(): boolean {
    const { position, isFollowing } = this.#before ?? { position: undefined, isFollowing: false };
    this.#before = undefined;
    this.#worker.send({ type: 'around', entry: undefined });
    if (position !== undefined)
      this.#scroller.goTo(position.entry, { topPx: position.topPx }, { inOtherRows: true });
    return isFollowing;
  }
}
