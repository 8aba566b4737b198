import type { Visibility } from '../../frame/page-visibility.ts';
import type { TabStreams } from '../../frame/tab-streams.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';

/** How often to check whether events have a free connection again. */
const ROOM_MS = 30_000;

export interface RestOptions {
  readonly worker: Pick<LogWorker, 'send' | 'subscribe'>;
  readonly streams: Pick<TabStreams, 'hold' | 'count' | 'whenRoom'>;
  readonly visibility: Visibility;
  /** Calls back repeatedly; the returned function ends it. */
  readonly every: (ms: number, run: () => void) => () => void;
}

/**
 * Lets a hidden console release its connections for lines and events when other tabs need them; it continues exactly
 * where it was once it is visible. A visible console releases the connection for events if all visible tabs need more
 * than exist. Returns how to stop.
 */
export function restUnseen({ worker, streams, visibility, every }: RestOptions): () => void {
  const events = new EventsRest({ worker, streams, every });
  let release: (() => void) | undefined;
  let isResting = false;
  const leave = () => {
    release = undefined;
    isResting = true;
    worker.send({ type: 'rest', isResting });
  };
  const hold = () => {
    release ??= streams.hold(leave);
  };
  const ends = [
    visibility.subscribe(() => {
      if (visibility.isHidden()) return;
      events.resume();
      if (!isResting) return;
      isResting = false;
      worker.send({ type: 'rest', isResting });
      hold();
    }),
    worker.subscribe('status', ({ status }) => {
      events.see(status.facts.isStreaming);
      if (isResting) return;
      if (status.connection.state !== 'ended') return hold();
      release?.();
      release = undefined;
    }),
    () => release?.(),
    () => events.end(),
  ];
  hold();
  return () => {
    for (const end of ends) end();
  };
}

/** The connection for events, which a console can do without. */
class EventsRest {
  readonly #options: Omit<RestOptions, 'visibility'>;
  #release: (() => void) | undefined;
  #isResting = false;
  #endWait: (() => void) | undefined;

  constructor(options: Omit<RestOptions, 'visibility'>) {
    this.#options = options;
  }

  /** Takes whether events are streamed, or would be without a rest. */
  see(isStreaming: boolean): void {
    if (!isStreaming) this.end();
    else if (!this.#isResting) this.#release ??= this.#options.streams.hold(() => this.#leave(), true);
  }

  resume(): void {
    if (!this.#isResting) return;
    this.#rest(false);
    this.see(true);
  }

  end(): void {
    this.#release?.();
    this.#release = undefined;
    if (this.#isResting) this.#rest(false);
  }

  #leave(): void {
    this.#release = undefined;
    this.#rest(true);
  }

  #rest(isResting: boolean): void {
    const { worker, streams, every } = this.#options;
    this.#isResting = isResting;
    this.#endWait?.();
    worker.send({ type: 'rest-facts', isResting });
    if (!isResting) return;
    const ends = [streams.whenRoom(() => this.resume()), every(ROOM_MS, () => streams.count())];
    this.#endWait = () => {
      for (const end of ends) end();
      this.#endWait = undefined;
    };
  }
}
