import { pageVisibility, type Visibility } from './page-visibility.ts';

/**
 * Streams that all tabs of a browser may hold together. It allows six connections to a server (HTTP/1.1), whatever the
 * number of tabs: the seventh would not even be loaded, and two are for everything else that pages ask.
 */
export const MAX_STREAMS = 4;
/** What tabs say to each other: that a count begins, and what each of them holds. */
export interface TabMessage {
  readonly type: 'count' | 'holds';
  readonly tab: string;
  readonly streams: number;
  /** How many of them a tab that somebody sees can do without. */
  readonly optional: number;
  /** When somebody saw the tab last, ms since the epoch; undefined while somebody does. */
  readonly seenAtMs: number | undefined;
}

export interface TabStreamsOptions {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  readonly visibility: Visibility;
  readonly nowMs: () => number;
  /** Only of this tab. */
  readonly tab: string;
}

/**
 * The streams of this tab among those of all tabs. If there are too many, those unseen for the longest time
 * close; if all are seen, those that their tabs can do without, of the tab that was opened last first.
 */
export class TabStreams {
  readonly #options: TabStreamsOptions;
  /** By how to leave it: whether its tab can do without it. */
  readonly #held = new Map<() => void, boolean>();
  readonly #waiting = new Set<() => void>();
  #others = new Map<string, TabMessage>();
  #seenAtMs: number | undefined;

  constructor(options: TabStreamsOptions) {
    this.#options = options;
    const { channel, visibility } = options;
    channel.addEventListener('message', ({ data }) => this.#receive(data as TabMessage));
    this.#noteVisibility();
    visibility.subscribe(() => {
      this.#noteVisibility();
      if (visibility.isHidden()) this.count();
    });
  }

  /**
   * Counts a stream until the returned function is called. `onLeave`: its place is needed, and it is not counted any more.
   * `isOptional`: the tab can do without it, also while somebody sees it.
   */
  hold(onLeave: () => void, isOptional = false): () => void {
    const leave = () => onLeave();
    this.#held.set(leave, isOptional);
    this.count();
    return () => void this.#held.delete(leave);
  }

  /** Calls back once there is room for one more stream, which `count` finds out. The returned function ends it. */
  whenRoom(onRoom: () => void): () => void {
    this.#waiting.add(onRoom);
    return () => void this.#waiting.delete(onRoom);
  }

  #noteVisibility(): void {
    const { visibility, nowMs } = this.#options;
    this.#seenAtMs = visibility.isHidden() ? (this.#seenAtMs ?? nowMs()) : undefined;
  }

  /** Asks all tabs again what they hold: a closed or crashed one does not answer. */
  count(): void {
    this.#send('count');
    this.#others = new Map();
  }

  #receive(message: TabMessage): void {
    if (message.type === 'count') {
      this.#others = new Map();
      if (this.#held.size > 0) this.#send('holds');
    }
    this.#others.set(message.tab, message);
    this.#judge();
  }

  #send(type: TabMessage['type']): void {
    this.#options.channel.postMessage(this.#message(type));
  }

  #message(type: TabMessage['type']): TabMessage {
    const optional = [...this.#held.values()].filter(Boolean).length;
    const { tab } = this.#options;
    return { type, tab, streams: this.#held.size, optional, seenAtMs: this.#seenAtMs };
  }

  /**
   * Evaluated at each message, because browsers slow the timers of hidden tabs to once a minute. Every tab
   * reaches the same result by itself: anything still unknown can only add streams.
   */
  #judge(): void {
    const all = [...this.#others.values(), this.#message('holds')];
    let tooMany = all.reduce((sum, { streams }) => sum + streams, 0) - MAX_STREAMS;
    const unseen = all.filter(({ seenAtMs }) => seenAtMs !== undefined);
    unseen.sort((a, b) => (a.seenAtMs ?? 0) - (b.seenAtMs ?? 0) || (a.tab < b.tab ? -1 : 1));
    for (const { tab, streams } of unseen) {
      if (tooMany <= 0) return;
      if (tab === this.#options.tab) this.#leaveAll();
      tooMany -= streams;
    }
    this.#judgeOptional(all, tooMany);
    // Who is not seen waits until it is.
    if (tooMany < 0 && this.#seenAtMs === undefined)
      for (const onRoom of [...this.#waiting].slice(0, 1)) this.#letIn(onRoom);
  }

  #judgeOptional(all: readonly TabMessage[], excess: number): void {
    let tooMany = excess;
    const seen = all.filter(({ seenAtMs }) => seenAtMs === undefined);
    seen.sort((a, b) => (a.tab < b.tab ? 1 : -1));
    for (const { tab, optional } of seen) {
      if (tooMany <= 0) return;
      if (tab === this.#options.tab) this.#leaveOptional();
      tooMany -= optional;
    }
  }

  #letIn(onRoom: () => void): void {
    this.#waiting.delete(onRoom);
    onRoom();
  }

  #leaveOptional(): void {
    const optional = [...this.#held].filter(([, isOptional]) => isOptional);
    for (const [leave] of optional) {
      this.#held.delete(leave);
      leave();
    }
  }

  #leaveAll(): void {
    const held = [...this.#held.keys()];
    this.#held.clear();
    for (const leave of held) leave();
  }
}

let opened: TabStreams | undefined;

/** Those of this page. */
export function pageStreams(): TabStreams {
  opened ??= new TabStreams({
    channel: new BroadcastChannel('logtool-streams'),
    visibility: pageVisibility,
    nowMs: () => Date.now(),
    tab: `${Date.now()}-${Math.random()}`,
  });
  return opened;
}
