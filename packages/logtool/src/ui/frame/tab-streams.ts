import { pageVisibility, type Visibility } from './page-visibility.ts';

/**
 * Maximum number of streams that all tabs of a browser hold together. A browser allows six connections to a
 * server (HTTP/1.1) for all tabs: a seventh would not even load, and two stay free for all other requests.
 */
export const MAX_STREAMS = 4;
/** A message between tabs: a count begins, or what the tab holds. */
export interface TabMessage {
  readonly type: 'count' | 'holds';
  readonly tab: string;
  readonly streams: number;
  /** How many of the streams the tab can give up even while visible. */
  readonly optional: number;
  /** When the tab was last visible, ms since the epoch; undefined while it is visible. */
  readonly seenAtMs: number | undefined;
}

export interface TabStreamsOptions {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  readonly visibility: Visibility;
  readonly nowMs: () => number;
  /** Unique to this tab. */
  readonly tab: string;
}

/**
 * The streams of this tab among those of all tabs. If there are too many, those hidden for the longest time
 * close first. If all tabs are visible, optional streams close, starting with the most recently opened tab.
 */
export class TabStreams {
  readonly #options: TabStreamsOptions;
  /** Key: the callback that closes the stream. Value: whether the stream is optional. */
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
   * Counts a stream until the returned function is called. `onLeave`: another stream needs the slot; this one
   * no longer counts. `isOptional`: the tab can give up the stream even while visible.
   */
  hold(onLeave: () => void, isOptional = false): () => void {
    const leave = () => onLeave();
    this.#held.set(leave, isOptional);
    this.count();
    return () => void this.#held.delete(leave);
  }

  /**
   * Calls back once there is room for one more stream; `count` finds that out. The returned function cancels.
   */
  whenRoom(onRoom: () => void): () => void {
    this.#waiting.add(onRoom);
    return () => void this.#waiting.delete(onRoom);
  }

  #noteVisibility(): void {
    const { visibility, nowMs } = this.#options;
    this.#seenAtMs = visibility.isHidden() ? (this.#seenAtMs ?? nowMs()) : undefined;
  }

  /** Asks all tabs again what they hold; closed or crashed tabs do not answer. */
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
   * Runs on each message, because browsers slow the timers of hidden tabs to once a minute. Every tab reaches
   * the same result independently: messages still missing can only add streams.
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
    // A hidden tab waits until it is visible.
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

/** Returns the streams of this page. */
export function pageStreams(): TabStreams {
  opened ??= new TabStreams({
    channel: new BroadcastChannel('logtool-streams'),
    visibility: pageVisibility,
    nowMs: () => Date.now(),
    tab: `${Date.now()}-${Math.random()}`,
  });
  return opened;
}
