import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { EntryId } from '../../worker/session/protocol.ts';
import type { LogScroller } from './log-scroller.ts';

interface Before {
  readonly place: LogScroller['place'];
  readonly isFollowing: boolean;
}

/** Shows all lines around one, whatever is filtered, and then again what was seen before. */
export class Surroundings {
  readonly #worker: LogWorker;
  readonly #scroller: LogScroller;
  #before: Before | undefined;

  constructor(worker: LogWorker, scroller: LogScroller) {
    this.#worker = worker;
    this.#scroller = scroller;
  }

  begin(entry: EntryId, isFollowing: boolean): void {
    this.#before ??= { place: this.#scroller.place, isFollowing };
    this.#worker.send({ type: 'around', entry });
    this.#scroller.goTo(entry, 'middle', { inOtherRows: true });
  }

  /** True: the newest line was followed. */
  end(): boolean {
    const { place, isFollowing } = this.#before ?? { place: undefined, isFollowing: false };
    this.#before = undefined;
    this.#worker.send({ type: 'around', entry: undefined });
    if (place !== undefined) this.#scroller.goTo(place.entry, { topPx: place.topPx }, { inOtherRows: true });
    return isFollowing;
  }
}
